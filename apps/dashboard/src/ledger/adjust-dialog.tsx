import { RadioField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { Money } from "@findersfee/ui/components/values";
import { parseMoney } from "@findersfee/ui/formats/money";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CurrencyField } from "../forms/currency-field.tsx";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSession } from "../session/session.tsx";
import { balancesQuery } from "./queries.ts";
import { adjustment_texts as texts } from "./texts.ts";
import { useCreateAdjustment } from "./use-adjust.ts";

type Kind = keyof typeof texts.kinds;

export interface AdjustDialogProps {
  affiliate_id: string;
  /** The commission that is clawed back; null: none. */
  commission: { id: string; amount: number; currency: string; referral_date: string } | null;
  onClose: () => void;
}

interface Entry {
  kind: Kind;
  amount: string;
  currency: string;
  reason: string;
}

/** Changes an affiliate's balance by an amount. */
export function AdjustDialog({ affiliate_id, commission, onClose }: AdjustDialogProps) {
  const { organization } = useSession();
  const [entry, setEntry] = useState(() => firstEntry(commission, organization.currency));
  const [is_sent, setSent] = useState(false);
  const { mutate, isPending, error } = useCreateAdjustment(onClose);
  const failure = error === null ? null : failureOf(error);
  const { currency } = entry;
  const reason = entry.reason.trim();
  const amount = signedAmount(entry);
  const issues: Record<string, string | undefined> = is_sent
    ? {
        amount: typeof amount === "string" ? amount : undefined,
        reason: reason === "" ? texts.no_reason : undefined,
      }
    : {};
  const submit = () => {
    setSent(true);
    if (typeof amount === "string" || reason === "") return;
    const named = commission === null ? {} : { commission_id: commission.id };
    mutate({ affiliate_id, amount, currency, reason, ...named });
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={commission === null ? texts.add : texts.claw_back}
      submit={commission === null ? texts.create : texts.claw_back}
      busy={isPending}
      onSubmit={submit}
    >
      <EntryFields
        entry={entry}
        is_clawback={commission !== null}
        onChange={(changed) => setEntry((before) => ({ ...before, ...changed }))}
        errorOf={(name) => issues[name] ?? failure?.issues.find(({ path }) => path === name)?.message}
      />
      <BalanceChange
        affiliate_id={affiliate_id}
        currency={currency}
        amount={typeof amount === "string" ? 0 : amount}
      />
      {failure !== null && failure.issues.length === 0 && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
    </FormDialog>
  );
}

interface EntryFieldsProps {
  entry: Entry;
  /** The commission gives the kind and the currency. */
  is_clawback: boolean;
  onChange: (changed: Partial<Entry>) => void;
  errorOf: (name: string) => string | undefined;
}

function EntryFields({ entry, is_clawback, onChange, errorOf }: EntryFieldsProps) {
  const { kind, amount, currency, reason } = entry;
  const reason_error = errorOf("reason");
  return (
    <>
      {!is_clawback && (
        <RadioField
          label={texts.kind}
          name="kind"
          choices={Object.entries(texts.kinds).map(([value, { label, hint }]) => ({ value, label, hint }))}
          chosen={kind}
          onChoose={(value) => onChange(withKind(entry, value as Kind))}
        />
      )}
      <div className={is_clawback ? "grid" : "grid grid-cols-[minmax(0,1fr)_112px] items-start gap-3"}>
        <TextField
          label={texts.amount}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={({ target }) => onChange({ amount: target.value })}
          error={errorOf("amount")}
          {...(is_clawback ? { suffix: currency } : {})}
        />
        {!is_clawback && (
          <CurrencyField
            label={texts.currency}
            value={currency}
            onChange={(chosen) => onChange({ currency: chosen })}
            error={errorOf("currency")}
          />
        )}
      </div>
      <TextAreaField
        label={texts.reason}
        name="reason"
        maxLength={500}
        rows={2}
        value={reason}
        onChange={({ target }) => onChange({ reason: target.value })}
        hint={texts.reason_hint}
        {...(reason_error === undefined ? {} : { error: reason_error })}
      />
    </>
  );
}

function firstEntry(commission: AdjustDialogProps["commission"], currency: string): Entry {
  if (commission === null) return { kind: "bonus", amount: "", currency, reason: texts.kinds.bonus.reason };
  const day = new Date(commission.referral_date).toLocaleDateString("en-US", {
    month: "short",
    day: "numeric",
    year: "numeric",
    timeZone: "UTC",
  });
  return {
    kind: "clawback",
    amount: String(commission.amount),
    currency: commission.currency,
    reason: texts.clawback_of(day),
  };
}

/** Another kind suggests another reason, unless a person wrote one. */
function withKind({ reason }: Entry, kind: Kind): Partial<Entry> {
  const suggested = Object.values(texts.kinds).some((one) => one.reason === reason.trim());
  return suggested || reason.trim() === "" ? { kind, reason: texts.kinds[kind].reason } : { kind };
}

/** The amount with its sign, or the error of the field. */
function signedAmount({ kind, amount, currency }: Entry): number | string {
  const read = parseMoney(amount, currency);
  if (read === null || read === 0) return texts.bad_amount;
  if (kind === "correction") return read;
  if (read < 0) return texts.not_negative;
  return kind === "clawback" ? -read : read;
}

/** The affiliate's balance before and after. */
function BalanceChange({
  affiliate_id,
  currency,
  amount,
}: {
  affiliate_id: string;
  currency: string;
  amount: number;
}) {
  const session = useSession();
  const { data } = useQuery(balancesQuery(session, affiliate_id));
  if (data === undefined) return null;
  const balance = data.find((one) => one.currency === currency);
  const unpaid = (balance?.held ?? 0) + (balance?.due ?? 0);
  const after_due = (balance?.due ?? 0) + amount;
  return (
    <div className="rounded-control border border-line px-3 py-2 text-table">
      <p className="flex flex-wrap justify-between gap-x-4 tabular-nums">
        <span className="text-muted">{texts.balance}</span>
        <span>
          <span className="text-muted">{texts.now}</span> <Money amount={unpaid} currency={currency} />
          <span aria-hidden> → </span>
          <span className="text-muted">{texts.after}</span>{" "}
          <Money amount={unpaid + amount} currency={currency} />
        </span>
      </p>
      <p className="text-muted">{after_due < 0 ? texts.carried : texts.due_at_once}</p>
    </div>
  );
}
