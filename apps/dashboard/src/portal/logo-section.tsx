import { MAX_LOGO_BYTES } from "@findersfee/contract/portal/logo-limits";
import { Button } from "@findersfee/ui/components/button";
import { Section } from "@findersfee/ui/components/section";
import { useToast } from "@findersfee/ui/overlays/toast";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { useSession } from "../session/session.tsx";
import { type PortalSettings, portalQuery } from "./queries.ts";
import { texts } from "./texts.ts";

class TooLarge extends Error {}

/** The logo on a light and on a dark page. It is saved at once. */
export function LogoSection({ settings, may_change }: { settings: PortalSettings; may_change: boolean }) {
  const { look } = settings;
  return (
    <Section title={texts.logo} hint={texts.logo_hint}>
      {look.logo === null ? (
        <p className="text-table text-muted">{texts.no_logo}</p>
      ) : (
        <div className="grid max-w-100 grid-cols-2 gap-3">
          <LogoOn theme="light" look={look} />
          <LogoOn theme="dark" look={look} />
        </div>
      )}
      {may_change && <ChangeLogo has_logo={look.logo !== null} />}
    </Section>
  );
}

function LogoOn({ theme, look: { logo, name } }: { theme: "light" | "dark"; look: PortalSettings["look"] }) {
  return (
    <div
      className={`grid h-18 place-items-center rounded-card border border-line bg-page px-3 ${theme === "light" ? "scheme-light" : "scheme-dark"}`}
    >
      <Logo logo={logo} alt={texts.logo_of(name)} />
    </div>
  );
}

/** As the portal shows it: most logos are made for white, so dark pages have it below them. */
export function Logo({ logo, alt }: { logo: PortalSettings["look"]["logo"]; alt: string }) {
  if (logo === null) return null;
  return (
    <img
      src={`${APPLICATION_PATH}/${logo.path}`}
      width={logo.width}
      height={logo.height}
      alt={alt}
      className="h-7 w-auto max-w-[min(8rem,30vw)] shrink-0 rounded-[2px] bg-[light-dark(transparent,#ffffff)] object-contain shadow-[0_0_0_4px_light-dark(transparent,#ffffff)]"
    />
  );
}

function ChangeLogo({ has_logo }: { has_logo: boolean }) {
  const session = useSession();
  const { api } = session;
  const client = useQueryClient();
  const toast = useToast();
  const hint_id = useId();
  const input = useRef<HTMLInputElement>(null);
  const show = (saved: PortalSettings) => client.setQueryData(portalQuery(session).queryKey, saved);
  const set = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_LOGO_BYTES) throw new TooLarge(texts.logo_too_large(file.size));
      show(await api.dashboard.portal.set_logo.mutate({ content: await base64Of(file) }));
    },
    onSuccess: () => toast({ text: texts.logo_saved }),
  });
  const remove = useMutation({
    mutationFn: async () => show(await api.dashboard.portal.remove_logo.mutate({})),
    onSuccess: () => toast({ text: texts.logo_removed }),
  });
  const error = set.error ?? remove.error;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button busy={set.isPending} aria-describedby={hint_id} onClick={() => input.current?.click()}>
          {has_logo ? texts.replace : texts.upload}
        </Button>
        {has_logo && (
          <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
            {texts.remove}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={texts.upload}
        tabIndex={-1}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          remove.reset();
          if (file !== undefined) set.mutate(file);
          // The same file can be chosen again, after it was changed.
          target.value = "";
        }}
      />
      {error !== null && (
        <p role="alert" className="text-table text-bad">
          {messageOf(error)}
        </p>
      )}
      <p id={hint_id} className="text-table text-muted">
        {texts.logo_limits}
      </p>
    </div>
  );
}

function messageOf(error: Error): string {
  if (error instanceof TooLarge) return error.message;
  const { issues, message } = failureOf(error);
  return issues[0]?.message ?? message;
}

/** A data URL has the content behind its comma. */
async function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.addEventListener("load", resolve);
    reader.addEventListener("error", reject);
    reader.readAsDataURL(file);
  });
  return String(reader.result).replace(/^[^,]*,/, "");
}
