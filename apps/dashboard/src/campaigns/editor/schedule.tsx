import type { BillingInterval } from "@findersfee/contract/campaigns/rules";
import { isCurrency } from "@findersfee/contract/currencies";
import { Card } from "@findersfee/ui/components/card";
import { useClock } from "@findersfee/ui/components/clock";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { formatDay } from "@findersfee/ui/formats/dates";
import { formatMoney, parseMoney } from "@findersfee/ui/formats/money";
import { countryName } from "@findersfee/ui/formats/rule-sentence";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../../session/session.tsx";
import { texts as rule_texts } from "../rules/texts.ts";
import type { CampaignDraft } from "./draft.ts";
import { type AskedValues, askedValues, type Example, exampleOf } from "./example.ts";
import { scheduleQuery } from "./queries.ts";
import { texts } from "./texts.ts";
import { knownTiers } from "./tier-draft.ts";

const DEBOUNCE_MILLISECONDS = 250;

/** A value that follows once nothing was typed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/** The commissions of a customer's payments by the draft, as the service computes them. */
export function Schedule({ draft }: { draft: CampaignDraft }) {
  const session = useSession();
  const { currency: own_currency } = session.organization;
  const [typed, setTyped] = useState("49");
  const [chosen, setChosen] = useState<Example>({});
  const asked = askedValues(draft, own_currency);
  const example = exampleOf(chosen, asked);
  const tiers = knownTiers(draft.tiers);
  const currency =
    example.currency !== undefined && isCurrency(example.currency) ? example.currency : own_currency;
  const price = parseMoney(typed, currency);
  const { data, error } = useQuery(scheduleQuery(session, { draft: useSettled(draft), price, example }));
  const is_price_wrong = price === null || price <= 0;
  return (
    <Card title={texts.pays}>
      <div className="grid gap-3">
        <TextField
          label={texts.prices[example.interval ?? "month"]}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          suffix={currency}
          error={is_price_wrong ? texts.price_wrong : undefined}
        />
        <ExampleFields
          asked={asked}
          example={example}
          tierName={(id) => tiers.find((tier) => tier.id === id)?.name ?? id}
          onChange={(part) => setChosen({ ...chosen, ...part })}
          own_currency={own_currency}
        />
        <div aria-live="polite">
          {error !== null ? (
            <p className="text-table text-muted">{texts.schedule_wrong}</p>
          ) : (
            data !== undefined && !is_price_wrong && <Payments simulation={data} draft={draft} />
          )}
        </div>
        <Leads draft={draft} currency={own_currency} />
      </div>
    </Card>
  );
}

/** The fixed commissions, which no payment has. */
function Leads({ draft: { leads = [] }, currency }: { draft: CampaignDraft; currency: string }) {
  const known = leads.flatMap(({ key, kind, amount }) => {
    const minor = parseMoney(amount, currency);
    return minor === null || kind === "" ? [] : [{ key, kind, amount: minor }];
  });
  if (known.length === 0) return null;
  return (
    <div className="border-t border-line pt-2 text-table">
      <p className="text-muted">{texts.leads_pay}</p>
      <ul>
        {known.map(({ key, kind, amount }) => (
          <li key={key} className="flex justify-between gap-3">
            <bdi className="wrap-anywhere">{lead_names[kind] ?? kind}</bdi>
            <span className="font-medium tabular-nums">{formatMoney(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const lead_names: Partial<Record<string, string>> = texts.lead_kinds;

interface ExampleFieldsProps {
  asked: AskedValues;
  example: Example;
  onChange: (part: Example) => void;
  own_currency: string;
  tierName: (id: string) => string;
}

/** The values of a payment that rules ask for, to choose. */
function ExampleFields({ asked, example, onChange, own_currency, tierName }: ExampleFieldsProps) {
  const names = ["product_id", "interval", "country", "promo_code", "tier", "tag"] as const;
  const nameOf = { ...exampleNames, tier: tierName };
  return (
    <>
      {names
        .filter((name) => asked[name].length > 0)
        .map((name) => (
          <Choice
            key={name}
            label={texts.example[name]}
            none={nones[name] ?? texts.not_given}
            values={asked[name]}
            nameOf={nameOf[name]}
            chosen={example[name]}
            onChoose={(value) => onChange({ [name]: value })}
          />
        ))}
      {asked.currency.length > 1 && (
        <Choice
          label={texts.example.currency}
          values={asked.currency.filter(isCurrency)}
          chosen={example.currency ?? own_currency}
          onChoose={(currency) => onChange({ currency: currency ?? own_currency })}
        />
      )}
      {Object.entries(asked.metadata).map(([key, values]) => (
        <Choice
          key={key}
          label={texts.example.metadata(key)}
          none={texts.not_given}
          values={values}
          chosen={example.metadata?.[key]}
          onChoose={(value) => onChange({ metadata: { ...example.metadata, [key]: value ?? "" } })}
        />
      ))}
    </>
  );
}

const own = (value: string) => value;

const nones: Partial<Record<keyof AskedValues, string>> = {
  product_id: texts.no_product,
  tier: texts.no_tier,
  tag: texts.no_tag,
};

const exampleNames: Record<
  "product_id" | "interval" | "country" | "promo_code" | "tag",
  (value: string) => string
> = {
  product_id: own,
  interval: (value) => rule_texts.intervals[value as BillingInterval],
  country: countryName("en-US"),
  promo_code: own,
  tag: own,
};

interface ChoiceProps {
  label: string;
  /** Absent: one of the values is always chosen. */
  none?: string;
  values: readonly string[];
  nameOf?: (value: string) => string;
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
}

function Choice({ label, none, values, nameOf = own, chosen, onChoose }: ChoiceProps) {
  return (
    <SelectField
      label={label}
      value={chosen ?? ""}
      onChange={({ target }) => onChoose(target.value === "" ? undefined : target.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {values.map((value) => (
        <option key={value} value={value}>
          {nameOf(value)}
        </option>
      ))}
    </SelectField>
  );
}

type Simulation = NonNullable<
  Awaited<ReturnType<ReturnType<typeof useSession>["api"]["dashboard"]["campaigns"]["simulate"]["mutate"]>>
>;
type Payment = Simulation["payments"][number];

interface Run {
  first: number;
  last: number;
  payment: Payment;
}

/** Payments with the same result side by side, as one line. */
function runsOf(payments: readonly Payment[]): Run[] {
  const runs: Run[] = [];
  payments.forEach((payment, index) => {
    const run = runs.at(-1);
    const is_same =
      run?.payment.commission_amount === payment.commission_amount && run.payment.outcome === payment.outcome;
    if (run !== undefined && is_same) run.last = index + 1;
    else runs.push({ first: index + 1, last: index + 1, payment });
  });
  return runs;
}

function Payments({ simulation, draft }: { simulation: Simulation; draft: CampaignDraft }) {
  const { currency, payments, commission_amount, revenue_amount } = simulation;
  const clock = { ...useClock(), time_zone: "UTC" };
  const runs = runsOf(payments);
  const goes_on = draft.limit_type === "none";
  return (
    <div className="grid gap-2">
      <table className="w-full text-table tabular-nums">
        <tbody>
          {runs.map(({ first, last, payment }) => (
            <tr key={first} className="border-line not-first:border-t">
              <th scope="row" className="py-1.5 pr-2 text-left font-normal">
                {texts.payments_of(first, last)}
                <span className="block text-meta text-muted">
                  {formatDay(new Date(payment.paid_at), clock)}
                </span>
              </th>
              <td className="py-1.5 text-right align-top">
                {payment.outcome === "commission" ? (
                  <>
                    <span className="font-medium">{formatMoney(payment.commission_amount, currency)}</span>
                    {last > first && <span className="text-muted"> {texts.each}</span>}
                  </>
                ) : (
                  <>
                    <span className="text-muted">{texts.nothing}</span>
                    <span className="block text-meta text-muted">
                      {texts.reasons[payment.outcome] ?? payment.outcome}
                    </span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="border-t border-line pt-2 text-table font-medium tabular-nums">
        {goes_on
          ? texts.goes_on
          : texts.in_all(formatMoney(commission_amount, currency), formatMoney(revenue_amount, currency))}
      </p>
    </div>
  );
}
