import { TextField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import { Failure } from "@findersfee/ui/components/notice";
import { parseMoney } from "@findersfee/ui/formats/money";
import { useNavigation } from "@findersfee/ui/navigation";
import type { Option } from "@findersfee/ui/overlays/items";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Page } from "@findersfee/ui/shell/page";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { AffiliateField } from "../affiliates/affiliate-field.tsx";
import { CurrencyField } from "../forms/currency-field.tsx";
import { PageActions } from "../forms/page-actions.tsx";
import { newKey } from "../requests/new-key.ts";
import { useMay, useSession } from "../session/session.tsx";
import { CustomerPayments } from "./customer-payments.tsx";
import { new_texts } from "./new-texts.ts";
import { CustomerField } from "./payee-fields.tsx";
import type { CustomerPayment } from "./queries.ts";
import { texts } from "./texts.ts";

type Errors = Record<string, string | undefined>;

/** Creates a manual commission: for a sale that no processor reported, or as a bonus for one. */
export function NewCommissionPage() {
  const { home, organization } = useSession();
  const may_create = useMay("admin");
  const [currency, setCurrency] = useState(organization.currency);
  const [sale, setSale] = useState<Sale>({ affiliate: null, customer: null, payment: null });
  const [errors, setErrors] = useState<Errors>({});
  const create = useCreate();
  const failure = create.error === null ? null : failureOf(create.error);
  const errorOf = (path: string) =>
    errors[path] ?? failure?.issues.find((issue) => issue.path === path)?.message;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entry = readEntry(new FormData(event.currentTarget), { ...sale, currency });
    setErrors(errorsOf(entry));
    if (isComplete(entry)) create.mutate(entry);
  };
  return (
    <Page
      title={texts.new}
      document_title={`${texts.new} · ${organization.name}`}
      parent={{ to: `${home}/commissions`, label: texts.title }}
      width="text"
    >
      <p className="max-w-140 pb-6 text-muted">{may_create ? new_texts.hint : new_texts.no_role}</p>
      {may_create && (
        <form onSubmit={submit} className="grid max-w-140 gap-6 pb-12" noValidate>
          <Recipient
            sale={sale}
            errorOf={errorOf}
            onChange={(chosen) => {
              setSale(chosen);
              if (chosen.payment !== null) setCurrency(chosen.payment.currency);
            }}
          />
          <Amounts
            key={sale.payment?.id ?? ""}
            payment={sale.payment}
            currency={currency}
            onCurrency={setCurrency}
            errorOf={errorOf}
          />
          {failure !== null && failure.issues.length === 0 && (
            <Failure message={failure.message} request_id={failure.request_id} />
          )}
          <PageActions submit={new_texts.create} busy={create.isPending} parent={`${home}/commissions`} />
        </form>
      )}
    </Page>
  );
}

/** The affiliate, the customer and the payment of a commission. Null: not chosen, or none that was reported. */
interface Sale {
  affiliate: Option | null;
  customer: Option | null;
  payment: CustomerPayment | null;
}

interface RecipientProps {
  sale: Sale;
  onChange: (sale: Sale) => void;
  errorOf: (path: string) => string | undefined;
}

function Recipient({ sale, onChange, errorOf }: RecipientProps) {
  const { affiliate, customer, payment } = sale;
  return (
    <FieldGroup title={new_texts.who}>
      <AffiliateField
        chosen={affiliate}
        error={errorOf("affiliate")}
        onChoose={(option) => onChange({ affiliate: option, customer: null, payment: null })}
      />
      <CustomerField
        affiliate={affiliate}
        chosen={customer}
        error={errorOf("customer") ?? errorOf("customer_email") ?? errorOf("email")}
        onChoose={(option) => onChange({ affiliate, customer: option, payment: null })}
      />
      {affiliate !== null && customer !== null && (
        <CustomerPayments
          affiliate={affiliate}
          customer={customer}
          chosen={payment}
          onChoose={(chosen) => onChange({ affiliate, customer, payment: chosen })}
        />
      )}
    </FieldGroup>
  );
}

interface AmountsProps {
  /** Its amount is the sale's. Null: the commission is for none that was reported. */
  payment: CustomerPayment | null;
  currency: string;
  onCurrency: (currency: string) => void;
  errorOf: (path: string) => string | undefined;
}

function Amounts({ payment, currency, onCurrency, errorOf }: AmountsProps) {
  return (
    <FieldGroup title={new_texts.what}>
      <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
        <TextField
          label={new_texts.revenue}
          name="revenue_amount"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={payment === null ? "" : String(payment.revenue_amount)}
          error={errorOf("revenue_amount")}
        />
        <CurrencyField
          label={new_texts.currency}
          value={currency}
          onChange={onCurrency}
          error={errorOf("currency")}
        />
      </div>
      <TextField
        label={texts.commission}
        name="commission_amount"
        inputMode="decimal"
        autoComplete="off"
        required
        suffix={currency}
        error={errorOf("commission_amount")}
      />
      {payment === null && (
        <>
          <TextField
            label={new_texts.day}
            name="date"
            type="date"
            optional
            hint={new_texts.day_hint}
            error={errorOf("referral_date")}
          />
          <TextField
            label={new_texts.payment_id}
            name="processor_payment_id"
            optional
            autoComplete="off"
            hint={new_texts.payment_id_hint}
            error={errorOf("processor_payment_id")}
          />
        </>
      )}
    </FieldGroup>
  );
}

interface NewCommission {
  affiliate_id: string;
  customer_email: string;
  revenue_amount: number;
  commission_amount: number;
  currency: string;
  referral_date: string | undefined;
  processor_payment_id: string | undefined;
}

/** Choices and amounts are null where they are missing or unreadable. */
type Entry = { [Name in keyof NewCommission]: NewCommission[Name] | null };

function readEntry(
  form: FormData,
  { affiliate, customer, currency, payment }: Sale & { currency: string },
): Entry {
  const textOf = (name: string) => String(form.get(name) ?? "").trim();
  const day = textOf("date");
  return {
    affiliate_id: affiliate?.value ?? null,
    customer_email: customer?.label ?? null,
    revenue_amount: parseMoney(textOf("revenue_amount"), currency),
    commission_amount: parseMoney(textOf("commission_amount"), currency),
    currency,
    referral_date: payment?.paid_at ?? (day === "" ? undefined : new Date(`${day}T00:00`).toISOString()),
    processor_payment_id: (payment?.processor_payment_id ?? textOf("processor_payment_id")) || undefined,
  };
}

function errorsOf({ affiliate_id, customer_email, revenue_amount, commission_amount }: Entry): Errors {
  return {
    affiliate: affiliate_id === null ? new_texts.choose_affiliate : undefined,
    customer: customer_email === null ? new_texts.choose_customer : undefined,
    revenue_amount: revenue_amount === null ? texts.bad_amount : undefined,
    commission_amount: commission_amount === null ? texts.bad_amount : undefined,
  };
}

function isComplete(entry: Entry): entry is NewCommission {
  return Object.values(entry).every((value) => value !== null);
}

const once = (idempotency_key: string) => ({ context: { idempotency_key } });

function useCreate() {
  const { api, organization, home } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { navigate } = useNavigation();
  const sent = useRef({ text: "", key: "" });
  return useMutation({
    mutationFn: async (input: NewCommission) => {
      // The same again, after an answer that was lost, pays nothing twice.
      const text = JSON.stringify(input);
      if (sent.current.text !== text) sent.current = { text, key: newKey() };
      return await api.dashboard.commissions.create.mutate(input, once(sent.current.key));
    },
    onSuccess: ({ id }) => {
      toast({ text: new_texts.created });
      navigate(`${home}/commissions/${id}`);
    },
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
}
