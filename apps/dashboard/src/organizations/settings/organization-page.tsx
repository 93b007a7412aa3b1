import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { useNavigation } from "@findersfee/ui/navigation";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SavedTexts } from "../../forms/changed-fields.ts";
import { DraftNotes } from "../../forms/draft-notes.tsx";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { SavedForm } from "../../forms/saved-form.tsx";
import { useDraft } from "../../forms/use-draft.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { meQuery, useMay, useSession } from "../../session/session.tsx";
import { type OrganizationSettings, organizationQuery, payoutSettingsQuery, settingsKey } from "./queries.ts";
import { texts } from "./texts.ts";

const FIELDS = ["name", "slug", "support_email", "time_zone", "currency", "website_domains"];

/** The organization itself, and where else its pages may track. */
interface Settings extends OrganizationSettings {
  website_domains: string[];
}

/** The organization itself: its names, its zone and its currency. */
export function OrganizationSettingsPage() {
  const session = useSession();
  const { data, error, refetch } = useQuery(organizationQuery(session));
  const domains = useQuery(payoutSettingsQuery(session));
  const may_change = useMay("admin");
  return (
    <Page
      title={texts.organization}
      document_title={`${texts.organization} · ${session.organization.name}`}
      width="text"
    >
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!may_change && <p className="text-table text-muted">{texts.read_only}</p>}
      {domains.error !== null && (
        <FailureNotice error={domains.error} onRetry={() => void domains.refetch()} />
      )}
      {data !== undefined && domains.data !== undefined && (
        <OrganizationForm
          settings={{ ...data, website_domains: domains.data.website_domains }}
          may_change={may_change}
        />
      )}
    </Page>
  );
}

interface FormProps {
  settings: Settings;
  may_change: boolean;
}

function OrganizationForm({ settings, may_change }: FormProps) {
  const session = useSession();
  const client = useQueryClient();
  const { navigate } = useNavigation();
  const draft = useDraft("", savedTexts(settings));
  const save = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const sent = {
      name: text("name"),
      slug: text("slug"),
      time_zone: text("time_zone"),
      support_email: text("support_email") === "" ? null : text("support_email"),
      ...(settings.currency_is_locked ? {} : { currency: text("currency") }),
    };
    const { website_domains, ...changed } = draft.changedOf({
      ...sent,
      website_domains: text("website_domains").match(/[^\s,]+/g) ?? [],
    });
    if (website_domains !== undefined) {
      await session.api.dashboard.settings.update.mutate({ website_domains });
    }
    const saved = await session.api.dashboard.organization.update.mutate(changed);
    client.setQueryData(organizationQuery(session).queryKey, saved);
    await client.invalidateQueries(meQuery);
    if (saved.slug !== settings.slug) navigate(`/o/${saved.slug}/settings/organization`);
    await client.invalidateQueries({ queryKey: settingsKey(session) });
  };
  const read = async () => {
    const organization = await client.fetchQuery({ ...organizationQuery(session), staleTime: 0 });
    const { website_domains } = await client.fetchQuery({ ...payoutSettingsQuery(session), staleTime: 0 });
    return savedTexts({ ...organization, website_domains });
  };
  return (
    <>
      <DraftNotes draft={draft} />
      <SavedForm save={save} fields={FIELDS} draft={draft} read={read} may_save={may_change}>
        {(errorOf) => (
          <fieldset disabled={!may_change} className="min-w-0">
            <General settings={settings} errorOf={errorOf} />
            <Reports settings={settings} errorOf={errorOf} />
            <Tracking settings={settings} errorOf={errorOf} />
          </fieldset>
        )}
      </SavedForm>
    </>
  );
}

/** The texts of the controls for saved settings. */
function savedTexts({
  name,
  slug,
  support_email,
  time_zone,
  currency,
  website_domains,
}: Settings): SavedTexts {
  const saved: Record<string, string> = {
    name,
    slug,
    support_email: support_email ?? "",
    time_zone,
    currency,
    website_domains: website_domains.join(", "),
  };
  return (field) => (saved[field] === undefined ? undefined : [saved[field]]);
}

interface PartProps {
  settings: Settings;
  errorOf: ErrorOf;
}

function General({ settings, errorOf }: PartProps) {
  return (
    <Section title={texts.general} hint={texts.general_hint}>
      <TextField
        label={texts.name}
        name="name"
        autoComplete="organization"
        defaultValue={settings.name}
        error={errorOf("name")}
      />
      <TextField
        label={texts.address}
        name="slug"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        defaultValue={settings.slug}
        hint={texts.address_hint}
        error={errorOf("slug")}
      />
      <TextField
        label={texts.support_email}
        optional
        name="support_email"
        inputMode="email"
        dir="ltr"
        autoComplete="off"
        defaultValue={settings.support_email ?? ""}
        hint={texts.support_email_hint}
        error={errorOf("support_email")}
      />
    </Section>
  );
}

const CURRENCIES = Intl.supportedValuesOf("currency");
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];

function Reports({ settings, errorOf }: PartProps) {
  const { time_zone, currency, currency_is_locked } = settings;
  return (
    <Section title={texts.reports} hint={texts.reports_hint}>
      <SelectField
        label={texts.time_zone}
        name="time_zone"
        defaultValue={time_zone}
        hint={texts.time_zone_hint}
        error={errorOf("time_zone")}
      >
        {(ZONES.includes(time_zone) ? ZONES : [time_zone, ...ZONES]).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <SelectField
        label={texts.currency}
        name="currency"
        defaultValue={currency}
        disabled={currency_is_locked}
        hint={currency_is_locked ? texts.currency_locked : texts.currency_hint}
        error={errorOf("currency")}
      >
        {(CURRENCIES.includes(currency) ? CURRENCIES : [currency, ...CURRENCIES]).map((code) => (
          <option key={code}>{code}</option>
        ))}
      </SelectField>
    </Section>
  );
}

function Tracking({ settings: { website_domains }, errorOf }: PartProps) {
  return (
    <Section title={texts.tracking} hint={texts.tracking_hint}>
      <TextField
        label={texts.website_domains}
        optional
        name="website_domains"
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        defaultValue={website_domains.join(", ")}
        hint={texts.website_domains_hint}
        error={errorOf("website_domains")}
      />
    </Section>
  );
}
