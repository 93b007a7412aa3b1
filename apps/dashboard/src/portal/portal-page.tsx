import { CopyButton } from "@findersfee/ui/components/copy";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SavedTexts } from "../forms/changed-fields.ts";
import { DraftNotes } from "../forms/draft-notes.tsx";
import { SavedForm } from "../forms/saved-form.tsx";
import { useDraft } from "../forms/use-draft.ts";
import { settingsKey } from "../organizations/settings/queries.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { ColorSection } from "./color-section.tsx";
import { HostSection } from "./host-section.tsx";
import { LogoSection } from "./logo-section.tsx";
import { type PortalSettings, portalQuery } from "./queries.ts";
import { texts } from "./texts.ts";
import { FramesSection, ORIGIN_PATHS, WordsSection } from "./words-section.tsx";

/** How the portal looks, and where it is. */
export function PortalSettingsPage() {
  const session = useSession();
  const { data, error, refetch } = useQuery(portalQuery(session));
  const may_change = useMay("admin");
  return (
    <Page title={texts.title} document_title={`${texts.title} · ${session.organization.name}`} width="text">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!may_change && <p className="text-table text-muted">{texts.read_only}</p>}
      {data !== undefined && (
        <>
          <PortalAddress settings={data} />
          <LogoSection settings={data} may_change={may_change} />
          <PortalForm settings={data} may_change={may_change} />
        </>
      )}
    </Page>
  );
}

function PortalAddress({ settings: { urls } }: { settings: PortalSettings }) {
  const url = urls.host ?? urls.service;
  return (
    <div className="pb-2">
      <p className="text-table text-muted">{texts.hint}</p>
      <p className="mt-1 flex min-w-0 flex-wrap items-center gap-x-1">
        <a
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={`${texts.address}: ${url}`}
          className="min-w-0 text-accent underline underline-offset-2 wrap-anywhere"
        >
          {url}
        </a>
        <CopyButton text={url} label={texts.address} quiet />
      </p>
    </div>
  );
}

const FIELDS = [
  "brand_color",
  "languages",
  "terms_url",
  "imprint_url",
  "privacy_url",
  "host",
  "link_host",
  "frame_origins",
  ...ORIGIN_PATHS,
];

function PortalForm({ settings, may_change }: { settings: PortalSettings; may_change: boolean }) {
  const session = useSession();
  const client = useQueryClient();
  const query = portalQuery(session);
  const draft = useDraft("", savedTexts(settings));
  const save = async (form: FormData) => {
    const changed = draft.changedOf(sentOf(form));
    const saved = await session.api.dashboard.portal.update.mutate(changed);
    client.setQueryData(query.queryKey, saved);
    await client.invalidateQueries({ queryKey: settingsKey(session) });
  };
  const read = async () => savedTexts(await client.fetchQuery({ ...query, staleTime: 0 }));
  return (
    <>
      <DraftNotes draft={draft} />
      <SavedForm save={save} fields={FIELDS} draft={draft} read={read} may_save={may_change}>
        {(errorOf) => (
          <fieldset disabled={!may_change} className="min-w-0">
            <ColorSection look={settings.look} error={errorOf("brand_color")} />
            <WordsSection settings={settings} errorOf={errorOf} />
            <HostSection use="portal" settings={settings} may_change={may_change} errorOf={errorOf} />
            <HostSection use="link" settings={settings} may_change={may_change} errorOf={errorOf} />
            <FramesSection settings={settings} errorOf={errorOf} />
          </fieldset>
        )}
      </SavedForm>
    </>
  );
}

/** The fields as typed; null: an empty one. */
function sentOf(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const orNull = (name: string) => (text(name) === "" ? null : text(name));
  return {
    brand_color: orNull("brand_color"),
    terms_url: orNull("terms_url"),
    imprint_url: orNull("imprint_url"),
    privacy_url: orNull("privacy_url"),
    languages: text("languages").split(",") as PortalSettings["look"]["languages"],
    host: orNull("host"),
    link_host: orNull("link_host"),
    link_cookies: form.has("link_cookies"),
    frame_origins: text("frame_origins").split(/\s+/).filter(Boolean),
  };
}

/** The texts of the controls for saved settings. */
function savedTexts({ look, host, link_host, link_cookies, frame_origins }: PortalSettings): SavedTexts {
  const saved: Record<string, string> = {
    brand_color: look.brand_color ?? "",
    terms_url: look.terms_url ?? "",
    imprint_url: look.imprint_url ?? "",
    privacy_url: look.privacy_url ?? "",
    languages: look.languages.join(","),
    host: host ?? "",
    link_host: link_host ?? "",
    frame_origins: frame_origins.join("\n"),
  };
  return (field) => {
    // A box that is not checked has no text.
    if (field === "link_cookies") return link_cookies ? ["true"] : [];
    return saved[field] === undefined ? undefined : [saved[field]];
  };
}
