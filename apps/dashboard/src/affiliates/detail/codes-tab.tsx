import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Notice } from "@findersfee/ui/components/notice";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { Link } from "@findersfee/ui/navigation";
import { type ReactNode, useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { CodeField } from "../code-field.tsx";
import type { Detail } from "../queries.ts";
import { texts } from "./texts.ts";

type PromoCode = Detail["promo_codes"][number];

const TONES: Record<PromoCode["state"], StateTone> = {
  none: "none",
  wanted: "waiting",
  needs_key: "warning",
  own: "none",
  made: "done",
  failed: "failed",
};

/** The codes that the affiliate refers with. */
export function CodesTab({ detail }: { detail: Detail }) {
  const { affiliate, promo_codes, former_link_codes, erased } = detail;
  const may_change = useMay("admin") && !erased;
  const [changing, setChanging] = useState<"link" | "promo" | null>(null);
  const [link] = affiliate.links;
  const [promo] = promo_codes;
  const own = changing === "link" ? link?.code : promo?.code;
  const changeOf = (kind: "link" | "promo") =>
    may_change && <Button onClick={() => setChanging(kind)}>{texts.change_code}</Button>;
  return (
    <div className="grid max-w-180 gap-4">
      <Card title={texts.links} beside={link !== undefined && changeOf("link")}>
        {link === undefined ? (
          <p className="text-muted">{texts.code_mode_coupon}</p>
        ) : (
          <Copied text={link.url}>{link.url}</Copied>
        )}
        {link !== undefined && former_link_codes.length > 0 && (
          <p className="mt-3 text-table text-muted">
            {texts.former_codes} <bdi>{former_link_codes.join(", ")}</bdi>
          </p>
        )}
      </Card>
      <Card title={texts.promo_codes} beside={promo !== undefined && changeOf("promo")}>
        {promo === undefined ? (
          <p className="text-muted">{texts.no_promo_codes}</p>
        ) : (
          <Promo promo={promo} may_change={may_change} />
        )}
      </Card>
      {own !== undefined && (
        <ChangeDialog
          key={changing}
          id={affiliate.id}
          kind={changing ?? "link"}
          own={own}
          open={changing !== null}
          onClose={() => setChanging(null)}
        />
      )}
    </div>
  );
}

function Copied({ text, children }: { text: string; children: ReactNode }) {
  return (
    <p className="flex items-center gap-2">
      <code className="min-w-0 font-mono text-table wrap-anywhere">{children}</code>
      <CopyButton text={text} quiet />
    </p>
  );
}

/** A promo code, with the state of its promotion code at Stripe in Stripe's words. */
function Promo({ promo, may_change }: { promo: PromoCode; may_change: boolean }) {
  const { api, home } = useSession();
  const { change, busy } = useChange("affiliates");
  const [linking, setLinking] = useState(false);
  const { affiliate_id, code, state, external_id, error } = promo;
  const retry = () =>
    change({
      run: () => api.dashboard.promo_codes.retry.mutate({ affiliate_id }),
      toast: { text: texts.retried },
    });
  return (
    <div className="grid gap-3">
      <Copied text={code}>{code}</Copied>
      <p className="flex flex-wrap items-center gap-x-3 text-table">
        <State tone={TONES[state]}>{texts.promo_states[state]}</State>
        {state === "needs_key" && (
          <Link to={`${home}/connections/stripe`} className="text-accent underline">
            {texts.store_key}
          </Link>
        )}
        {external_id !== null && <span className="font-mono text-meta text-muted">{external_id}</span>}
      </p>
      {error !== null && (
        <Notice tone={state === "failed" ? "bad" : "warn"} title={texts.stripe_said}>
          <span dir="auto">{error}</span>
        </Notice>
      )}
      {may_change && state !== "made" && state !== "none" && state !== "own" && (
        <div className="flex gap-2">
          {state === "failed" && (
            <Button busy={busy} onClick={retry}>
              {texts.retry}
            </Button>
          )}
          <Button onClick={() => setLinking(true)}>{texts.link_by_id}</Button>
        </div>
      )}
      <OrganizationDialog
        open={linking}
        onClose={() => setLinking(false)}
        title={texts.link_title}
        confirm={texts.link_confirm}
        done={texts.linked}
        changes="affiliates"
        fields={["external_id"]}
        run={(form) =>
          api.dashboard.promo_codes.link.mutate({
            affiliate_id,
            external_id: String(form.get("external_id") ?? "").trim(),
          })
        }
      >
        {(errorOf) => (
          <TextField
            label={texts.promotion_id}
            name="external_id"
            placeholder="promo_1N…"
            autoComplete="off"
            spellCheck={false}
            hint={texts.link_hint}
            error={errorOf("external_id")}
          />
        )}
      </OrganizationDialog>
    </div>
  );
}

interface ChangeDialogProps {
  id: string;
  kind: "link" | "promo";
  own: string;
  open: boolean;
  onClose: () => void;
}

/** Changes a code, and warns of links and codes that the change breaks. */
function ChangeDialog({ id, kind, own, open, onClose }: ChangeDialogProps) {
  const { api } = useSession();
  const name = kind === "link" ? "ref_code" : "promo_code";
  return (
    <OrganizationDialog
      open={open}
      onClose={onClose}
      title={kind === "link" ? texts.change_link_title : texts.change_promo_title}
      confirm={texts.change_confirm}
      done={texts.code_changed}
      changes="affiliates"
      fields={[name]}
      run={(form) => api.affiliates.update.mutate({ id, [name]: String(form.get(name) ?? "").trim() })}
    >
      {(errorOf) => (
        <>
          <CodeField
            kind={kind}
            name={name}
            label={texts.code}
            hint=""
            affiliate_id={id}
            own={own}
            error={errorOf(name)}
          />
          {kind === "link" ? (
            <Notice tone="info" title={texts.old_link_stays(own)} />
          ) : (
            <Notice tone="warn" title={texts.old_promo_dies(own)} />
          )}
        </>
      )}
    </OrganizationDialog>
  );
}
