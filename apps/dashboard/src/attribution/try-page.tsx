import type { DryRun } from "@findersfee/contract/attribution/payment-decisions";
import { Button, IconButton } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { TextField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import { Failure } from "@findersfee/ui/components/notice";
import { State } from "@findersfee/ui/components/state";
import { parseMoney } from "@findersfee/ui/formats/money";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { failureOf, type Failure as RequestFailure } from "@findersfee/ui/requests/failure";
import { Page } from "@findersfee/ui/shell/page";
import { useMutation } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { CurrencyField } from "../forms/currency-field.tsx";
import { useDraft } from "../forms/use-draft.ts";
import { type Session, useSession } from "../session/session.tsx";
import { Earning } from "./earning.tsx";
import { labels, sentences, toneOf } from "./outcome-texts.ts";
import { ResultCandidates } from "./result-candidates.tsx";
import { texts } from "./texts.ts";

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

type DryRunInput = Parameters<Session["api"]["dashboard"]["payment_decisions"]["dryRun"]["query"]>[0];

/** The page that computes the commission of a payment, and records nothing. */
export function TryPaymentPage() {
  const { home, organization, api } = useSession();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (input: DryRunInput) => api.dashboard.payment_decisions.dryRun.query(input),
  });
  return (
    <Page
      title={texts.try_title}
      document_title={`${texts.try_title} · ${organization.name}`}
      parent={{ to: `${home}/payments`, label: texts.back_to_list }}
      width="text"
    >
      <p className="pb-6 text-muted">{texts.try_hint}</p>
      <div className="grid items-start gap-x-12 gap-y-8 pb-12 full:grid-cols-[minmax(0,460px)_minmax(0,1fr)]">
        <PaymentForm
          failure={error === null ? null : failureOf(error)}
          busy={isPending}
          onSubmit={(input) => mutate(input)}
        />
        <div aria-live="polite" className="full:sticky full:top-6">
          <Card title={texts.result}>
            {data === undefined ? (
              <p className="text-muted">{texts.result_empty}</p>
            ) : (
              <Result result={data} />
            )}
          </Card>
        </div>
      </div>
    </Page>
  );
}

interface PaymentFormProps {
  failure: RequestFailure | null;
  busy: boolean;
  onSubmit: (input: DryRunInput) => void;
}

function PaymentForm({ failure, busy, onSubmit }: PaymentFormProps) {
  const { organization } = useSession();
  const [currency, setCurrency] = useState(organization.currency);
  const [lines, setLines] = useState<number[]>([]);
  const draft = useDraft();
  const [bad_amount, setBadAmount] = useState<string | null>(null);
  const errorOf = (path: string) =>
    bad_amount === path ? texts.bad_amount : failure?.issues.find((issue) => issue.path === path)?.message;
  const fieldOf: FieldOf = (name, label) => ({ name, label, autoComplete: "off", error: errorOf(name) });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const payment = readPayment(new FormData(event.currentTarget), { currency, line_count: lines.length });
    setBadAmount("bad_amount" in payment ? payment.bad_amount : null);
    if (!("bad_amount" in payment)) onSubmit(payment);
  };

  return (
    <form key={draft.key} ref={draft.form} onSubmit={submit} className="grid gap-6" noValidate>
      <RestoredNote draft={draft} />
      <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
        <TextField
          {...fieldOf("revenue_amount", texts.revenue)}
          inputMode="decimal"
          required
          placeholder="49.00"
        />
        <CurrencyField
          label={texts.currency}
          value={currency}
          onChange={setCurrency}
          error={errorOf("currency")}
        />
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
        <Button look="solid" type="submit" busy={busy}>
          {texts.calculate}
        </Button>
      </div>
    </form>
  );
}

/** The payment in a form, or the first field with an unreadable amount. */
function readPayment(
  form: FormData,
  { currency, line_count }: { currency: string; line_count: number },
): DryRunInput | { bad_amount: string } {
  const textOf = (name: string) => String(form.get(name) ?? "").trim() || undefined;
  const amountOf = (name: string) => parseMoney(String(form.get(name) ?? ""), currency);
  const revenue_amount = amountOf("revenue_amount");
  if (revenue_amount === null) return { bad_amount: "revenue_amount" };
  const lines: DryRunInput["lines"] = [];
  for (let index = 0; index < line_count; index++) {
    const amount = amountOf(`lines[${index}].amount`);
    if (amount === null) return { bad_amount: `lines[${index}].amount` };
    lines.push({ product_id: textOf(`lines[${index}].product_id`) ?? null, amount });
  }
  return {
    revenue_amount,
    currency,
    email: textOf("email"),
    promo_code: textOf("promo_code"),
    click_id: textOf("click_id"),
    customer_id: textOf("customer_id"),
    lines,
  };
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
      {result.without_products && <p className="text-muted">{texts.without_products}</p>}
      <ResultCandidates candidates={explanation.candidates} />
      <p className="text-table text-muted">{texts.unchanged}</p>
    </div>
  );
}
