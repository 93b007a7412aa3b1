import { ButtonLink } from "@findersfee/ui/components/button";
import { RadioField, TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { formatMoney, parseMoney } from "@findersfee/ui/formats/money";
import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSession } from "../session/session.tsx";
import { amountsOf } from "./amounts.ts";
import { monthOf } from "./month.ts";
import { includedOf } from "./next-run-card.tsx";
import type { PayoutRow, Summary } from "./queries.ts";
import { payerOf } from "./status.tsx";
import { texts } from "./texts.ts";

type Method = PayoutRow["method"];

const METHODS: readonly Method[] = ["paypal", "wise", "manual"];

export interface StartDialogProps {
  summary: Summary;
  open: boolean;
  onClose: () => void;
}

/** Starts the run, once the person has typed the sum that it pays. */
export function StartDialog({ summary, open, onClose }: StartDialogProps) {
  const { home } = useSession();
  const { mutate, isPending, error, reset } = useStart(onClose);
  const [method, setMethod] = useState<Method>("paypal");
  const [is_wrong, setWrong] = useState(false);
  useEffect(() => {
    if (!open) return;
    reset();
    setWrong(false);
  }, [open, reset]);
  const included = includedOf(summary);
  const [first] = included;
  if (first === undefined) return null;
  const sum = formatMoney(first.amount, first.currency);
  const month = monthOf(summary.period);
  const payees = included.reduce((total, part) => total + part.payees, 0);
  const submit = (form: FormData) => {
    const is_right = parseMoney(String(form.get("sum") ?? ""), first.currency) === first.amount;
    setWrong(!is_right);
    if (is_right) mutate({ method, period: summary.period });
  };
  const failure = error === null ? null : failureOf(error);
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.start_title(month)}
      submit={texts.start_now}
      busy={isPending}
      locks
      onSubmit={submit}
    >
      <p>{texts.start_hint(texts.affiliates(payees), amountsOf(included))}</p>
      <p className="text-table text-muted">{texts.start_once}</p>
      <RadioField
        label={texts.how_paid}
        name="method"
        choices={METHODS.map((value) => ({
          value,
          label: texts.methods[value],
          hint: texts.method_hints[value],
        }))}
        chosen={method}
        onChoose={(value) => setMethod(value as Method)}
      />
      <TextField
        label={texts.type_sum(sum)}
        name="sum"
        inputMode="decimal"
        autoComplete="off"
        error={is_wrong ? texts.wrong_sum(sum) : undefined}
      />
      {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
      {summary.run !== null && (
        <ButtonLink to={`${home}/payouts/runs/${summary.run.id}`}>{texts.show_run}</ButtonLink>
      )}
    </FormDialog>
  );
}

function useStart(onClose: () => void) {
  const { api, organization, home } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { navigate } = useNavigation();
  return useMutation({
    mutationFn: (input: { method: Method; period: string }) => api.dashboard.payout_runs.start.mutate(input),
    onSuccess: (run) => {
      onClose();
      const month = monthOf(run.period);
      const name = payerOf({ name: run.started_by_name, actor: run.started_by });
      toast({ text: run.is_new ? texts.run_started(month) : texts.already_started(month, name) });
      navigate(`${home}/payouts/runs/${run.id}`);
    },
    // Somebody else may have started it: the summary then names the run.
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
}
