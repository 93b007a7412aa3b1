import type { DryRun } from "@findersfee/contract/attribution/payment-decisions";
import { Button, IconButton } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import { Failure } from "@findersfee/ui/components/notice";
import { State } from "@findersfee/ui/components/state";
import { parseMoney } from "@findersfee/ui/formats/money";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Page } from "@findersfee/ui/shell/page";
import { useMutation } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useDraft } from "../forms/use-draft.ts";
import { useSession } from "../session/session.tsx";
import { Earning } from "./earning.tsx";
import { labels, sentences, toneOf } from "./outcomes.ts";
import { ResultCandidates } from "./result-candidates.tsx";
import { texts } from "./texts.ts";

const CURRENCIES = Intl.supportedValuesOf("currency");

const CUSTOMER_FIELDS = {
  email: texts.try_email,
  customer_id: texts.try_customer,
  promo_code: texts.try_code,
  click_id: texts.try_click,
};

/** The properties that all text fields of the form share. */
type FieldOf = (
  name: string,
  label: string,
) => { name: string; label: string; autoComplete: "off"; error: string | undefined };

/** A form's text without spaces around it; undefined if there is none. */
function written(form: FormData, name: string): string | undefined {
  return String(form.get(name) ?? "").trim() || undefined;
}

/** What would a payment earn? */
export function TryPaymentPage() {
  const { home, organization, api } = useSession();
  const [currency, setCurrency] = useState(organization.currency);
  const [lines, setLines] = useState<number[]>([]);
  const draft = useDraft();
  const [bad_amount, setBadAmount] = useState<string | null>(null);
  const run = useMutation({
    mutationFn: (input: Parameters<typeof api.dashboard.payment_decisions.dryRun.query>[0]) =>
      api.dashboard.payment_decisions.dryRun.query(input),
  });
  const failure = run.error === null ? null : failureOf(run.error);
  const errorOf = (path: string) =>
    bad_amount === path ? texts.bad_amount : failure?.issues.find((issue) => issue.path === path)?.message;
  const fieldOf: FieldOf = (name, label) => ({ name, label, autoComplete: "off", error: errorOf(name) });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const amounts = ["revenue_amount", ...lines.map((_, index) => `lines[${index}].amount`)];
    const parsed = amounts.map((name) => parseMoney(String(form.get(name) ?? ""), currency));
    const bad = amounts[parsed.indexOf(null)];
    setBadAmount(bad ?? null);
    const [revenue_amount, ...of_lines] = parsed.filter((amount) => amount !== null);
    if (bad !== undefined || revenue_amount === undefined) return;
    run.mutate({
      revenue_amount,
      currency,
      email: written(form, "email"),
      promo_code: written(form, "promo_code"),
      click_id: written(form, "click_id"),
      customer_id: written(form, "customer_id"),
      lines: of_lines.map((amount, index) => ({
        product_id: written(form, `lines[${index}].product_id`) ?? null,
        amount,
      })),
    });
  };

  return (
    <Page
      title={texts.try_title}
      document_title={`${texts.try_title} · ${organization.name}`}
      parent={{ to: `${home}/payments`, label: texts.back_to_list }}
      width="text"
    >
      <p className="pb-6 text-muted">{texts.try_hint}</p>
      <div className="grid items-start gap-x-12 gap-y-8 pb-12 full:grid-cols-[minmax(0,460px)_minmax(0,1fr)]">
        <form key={draft.key} ref={draft.form} onSubmit={submit} className="grid gap-6" noValidate>
          <RestoredNote draft={draft} />
          <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
            <TextField
              {...fieldOf("revenue_amount", texts.revenue)}
              inputMode="decimal"
              required
              placeholder="49.00"
            />
            <SelectField
              label={texts.currency}
              name="currency"
              value={currency}
              onChange={(event) => setCurrency(event.target.value)}
              error={errorOf("currency")}
            >
              {CURRENCIES.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </SelectField>
          </div>
          <FieldGroup title={texts.customer}>
            {Object.entries(CUSTOMER_FIELDS).map(([name, label]) => (
              <TextField
                key={name}
                {...fieldOf(name, label)}
                type={name === "email" ? "email" : "text"}
                optional
              />
            ))}
          </FieldGroup>
          <Products lines={lines} onLines={setLines} fieldOf={fieldOf} />
          {failure !== null && failure.issues.length === 0 && (
            <Failure message={failure.message} request_id={failure.request_id} />
          )}
          <div>
            <Button look="solid" type="submit" busy={run.isPending}>
              {texts.calculate}
            </Button>
          </div>
        </form>
        <div aria-live="polite" className="full:sticky full:top-6">
          <Card title={texts.result}>
            {run.data === undefined ? (
              <p className="text-muted">{texts.result_empty}</p>
            ) : (
              <Result result={run.data} />
            )}
          </Card>
        </div>
      </div>
    </Page>
  );
}

function Products({
  lines,
  onLines,
  fieldOf,
}: {
  lines: readonly number[];
  onLines: (lines: number[]) => void;
  fieldOf: FieldOf;
}) {
  const add = () => onLines([...lines, (lines.at(-1) ?? 0) + 1]);
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 text-lead font-semibold">{texts.products}</legend>
      {lines.map((line, index) => (
        <div key={line} className="grid grid-cols-[minmax(0,1fr)_112px_auto] items-start gap-3">
          <TextField {...fieldOf(`lines[${index}].product_id`, texts.product)} />
          <TextField {...fieldOf(`lines[${index}].amount`, texts.product_amount)} inputMode="decimal" />
          <IconButton
            label={texts.remove_product(index + 1)}
            onClick={() => onLines(lines.filter((other) => other !== line))}
            className="mt-[26px]"
          >
            <Trash2 aria-hidden size={15} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button onClick={add}>
          <Plus aria-hidden size={14} />
          {texts.add_product}
        </Button>
      </div>
    </fieldset>
  );
}

function Result({ result }: { result: DryRun }) {
  const { organization } = useSession();
  const { outcome, explanation } = result;
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="font-medium">
          <State tone={toneOf(outcome)}>{labels[outcome]}</State>
        </p>
        <p>{sentences[outcome]}</p>
      </div>
      <Earning payment={result} fixed_currency={organization.currency} />
      <ResultCandidates candidates={explanation.candidates} />
      <p className="text-table text-muted">{texts.unchanged}</p>
    </div>
  );
}
