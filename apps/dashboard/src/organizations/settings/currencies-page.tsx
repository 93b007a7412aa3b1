import { Checkbox } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SavedTexts } from "../../forms/changed-fields.ts";
import { DraftNotes } from "../../forms/draft-notes.tsx";
import { SavedForm } from "../../forms/saved-form.tsx";
import { useDraft } from "../../forms/use-draft.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { currency_texts as texts } from "./currency-texts.ts";
import { KnownRates } from "./known-rates.tsx";
import { exchangeRatesQuery, type PayoutSettings, payoutSettingsQuery, settingsKey } from "./queries.ts";

/** Are fixed commissions converted, and which exchange rates are known? */
export function CurrenciesPage() {
  const session = useSession();
  const settings = useQuery(payoutSettingsQuery(session));
  const rates = useQuery(exchangeRatesQuery(session));
  const may_change = useMay("admin");
  return (
    <Page
      title={texts.currencies}
      document_title={`${texts.currencies} · ${session.organization.name}`}
      width="text"
    >
      {settings.error !== null && (
        <FailureNotice error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {rates.error !== null && <FailureNotice error={rates.error} onRetry={() => void rates.refetch()} />}
      {!may_change && <p className="text-table text-muted">{texts.read_only}</p>}
      {settings.data !== undefined && <ConversionForm settings={settings.data} may_change={may_change} />}
      {rates.data !== undefined && <KnownRates known={rates.data} may_change={may_change} />}
    </Page>
  );
}

function ConversionForm({ settings, may_change }: { settings: PayoutSettings; may_change: boolean }) {
  const session = useSession();
  const client = useQueryClient();
  const query = payoutSettingsQuery(session);
  const draft = useDraft("", savedTexts(settings));
  const save = async (form: FormData) => {
    const values = Object.fromEntries(SETTINGS.map((name) => [name, form.get(name) === "on"]));
    const saved = await session.api.dashboard.settings.update.mutate(values);
    client.setQueryData(query.queryKey, saved);
    await client.invalidateQueries({ queryKey: settingsKey(session) });
  };
  const read = async () => savedTexts(await client.fetchQuery({ ...query, staleTime: 0 }));
  return (
    <>
      <DraftNotes draft={draft} />
      <SavedForm save={save} fields={SETTINGS} draft={draft} read={read} may_save={may_change}>
        {() => (
          <fieldset disabled={!may_change} className="min-w-0">
            <Section title={texts.fixed_amounts} hint={texts.fixed_amounts_hint(settings.currency)}>
              <Checkbox
                label={texts.converts}
                name="converts_fixed_amounts"
                defaultChecked={settings.converts_fixed_amounts}
                hint={texts.converts_hint}
              />
            </Section>
            <Section title={texts.payouts} hint={texts.payouts_hint}>
              <Checkbox
                label={texts.choose}
                name="affiliates_choose_payout_currency"
                defaultChecked={settings.affiliates_choose_payout_currency}
                hint={texts.choose_hint}
              />
              <Checkbox
                label={texts.minimums(settings.currency)}
                name="converts_minimum_payouts"
                defaultChecked={settings.converts_minimum_payouts}
                hint={texts.minimums_hint}
              />
            </Section>
          </fieldset>
        )}
      </SavedForm>
    </>
  );
}

const SETTINGS = [
  "converts_fixed_amounts",
  "affiliates_choose_payout_currency",
  "converts_minimum_payouts",
] as const satisfies (keyof PayoutSettings)[];

/** The texts of the checkboxes for saved settings. */
function savedTexts(settings: PayoutSettings): SavedTexts {
  return (field) => {
    const name = SETTINGS.find((known) => known === field);
    return name === undefined ? undefined : settings[name] ? ["on"] : [];
  };
}
