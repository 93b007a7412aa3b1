import { Button } from "@findersfee/ui/components/button";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { draftedNames, type SavedTexts } from "../../forms/changed-fields.ts";
import { DraftNotes } from "../../forms/draft-notes.tsx";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { SavedForm } from "../../forms/saved-form.tsx";
import { useDraft } from "../../forms/use-draft.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { minimumCurrency, minimumsOf, numberOf } from "./amounts.ts";
import { NextRun } from "./next-run.tsx";
import { type PayoutSettings, payoutSettingsQuery, settingsKey } from "./queries.ts";
import { texts } from "./texts.ts";

/** When are commissions paid, and which wait? */
export function PayoutSettingsPage() {
  const session = useSession();
  const { data, error, refetch } = useQuery(payoutSettingsQuery(session));
  const may_change = useMay("admin");
  return (
    <Page
      title={texts.payouts}
      document_title={`${texts.payouts} · ${session.organization.name}`}
      width="text"
    >
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!may_change && <p className="text-table text-muted">{texts.read_only}</p>}
      {data !== undefined && <PayoutForm settings={data} may_change={may_change} />}
      <div className="border-t border-line pt-4">
        <NextRun />
      </div>
    </Page>
  );
}

function PayoutForm({ settings, may_change }: { settings: PayoutSettings; may_change: boolean }) {
  const session = useSession();
  const client = useQueryClient();
  const query = payoutSettingsQuery(session);
  const draft = useDraft("", savedTexts(settings));
  const save = async (form: FormData) => {
    const changed = draft.changedOf({
      hold_days: numberOf(form.get("hold_days")),
      payout_day: form.get("payout_day") === "" ? null : Number(form.get("payout_day")),
    });
    const { minimum_payouts } = client.getQueryData(query.queryKey) ?? settings;
    const minimums = minimumsOf(form, { saved: minimum_payouts, isChanged: draft.isChanged });
    const saved = await session.api.dashboard.settings.update.mutate({
      ...changed,
      ...(minimums === null ? {} : { minimum_payouts: minimums }),
    });
    client.setQueryData(query.queryKey, saved);
    await client.invalidateQueries({ queryKey: settingsKey(session) });
  };
  const read = async () => savedTexts(await client.fetchQuery({ ...query, staleTime: 0 }));
  return (
    <>
      <DraftNotes draft={draft} />
      <SavedForm
        save={save}
        fields={["hold_days", "payout_day", "minimum_payouts"]}
        draft={draft}
        read={read}
        may_save={may_change}
      >
        {(errorOf) => (
          <fieldset disabled={!may_change} className="min-w-0">
            <Section title={texts.holding} hint={texts.holding_hint}>
              <TextField
                label={texts.hold_days}
                name="hold_days"
                inputMode="numeric"
                autoComplete="off"
                defaultValue={settings.hold_days}
                hint={texts.hold_days_hint}
                error={errorOf("hold_days") === undefined ? undefined : texts.not_days}
              />
            </Section>
            <Section title={texts.schedule} hint={texts.schedule_hint}>
              <SelectField
                label={texts.payout_day}
                name="payout_day"
                defaultValue={settings.payout_day ?? ""}
                hint={texts.payout_day_hint(session.organization.time_zone)}
                error={errorOf("payout_day")}
              >
                <option value="">{texts.by_hand}</option>
                {Array.from({ length: 28 }, (_, index) => (
                  <option key={index} value={index + 1}>
                    {texts.day(index + 1)}
                  </option>
                ))}
              </SelectField>
            </Section>
            <Minimums settings={settings} errorOf={errorOf} may_change={may_change} />
          </fieldset>
        )}
      </SavedForm>
    </>
  );
}

/** The texts of the controls for saved settings. */
function savedTexts({ hold_days, payout_day, minimum_payouts }: PayoutSettings): SavedTexts {
  return (field) => {
    if (field === "hold_days") return [String(hold_days)];
    if (field === "payout_day") return [String(payout_day ?? "")];
    const currency = minimumCurrency(field);
    return currency === undefined ? undefined : [String(minimum_payouts[currency] ?? "")];
  };
}

/** The service's reason, unless the typed text is no amount at all. */
function minimumError(refused: string | undefined): string | undefined {
  return refused?.startsWith("Has more decimals") === false ? texts.not_an_amount : refused;
}

const CURRENCIES = Intl.supportedValuesOf("currency");

interface MinimumsProps {
  settings: PayoutSettings;
  errorOf: ErrorOf;
  may_change: boolean;
}

/** Currencies with a minimum in the draft. */
function draftedCurrencies(): readonly string[] {
  return draftedNames("").flatMap((name) => minimumCurrency(name) ?? []);
}

/** One for each currency that has one, for the organization's, and for those that the person adds. */
function Minimums({ settings: { minimum_payouts, currency }, errorOf, may_change }: MinimumsProps) {
  const saved = [...new Set([currency, ...Object.keys(minimum_payouts)])];
  const [added, setAdded] = useState(draftedCurrencies);
  const currencies = [...saved, ...added.filter((code) => !saved.includes(code))];
  const first = CURRENCIES.find((code) => !currencies.includes(code)) ?? "";
  const [next, setNext] = useState("");
  return (
    <Section title={texts.minimum} hint={texts.minimum_hint}>
      {currencies.map((code, index) => (
        <TextField
          key={code}
          label={texts.minimum_of(code)}
          optional
          name={`minimum ${code}`}
          inputMode="decimal"
          dir="ltr"
          autoComplete="off"
          placeholder={texts.no_minimum}
          defaultValue={minimum_payouts[code] ?? ""}
          hint={index === currencies.length - 1 ? texts.minimum_effect : undefined}
          error={minimumError(errorOf(`minimum_payouts.${code}`))}
        />
      ))}
      {may_change && (
        <div className="flex items-end gap-2">
          <div className="w-40">
            <SelectField
              label={texts.add_currency}
              value={next === "" || currencies.includes(next) ? first : next}
              onChange={(event) => setNext(event.target.value)}
            >
              {CURRENCIES.filter((code) => !currencies.includes(code)).map((code) => (
                <option key={code}>{code}</option>
              ))}
            </SelectField>
          </div>
          <Button
            onClick={() => setAdded([...added, next === "" || currencies.includes(next) ? first : next])}
          >
            {texts.add}
          </Button>
        </div>
      )}
    </Section>
  );
}
