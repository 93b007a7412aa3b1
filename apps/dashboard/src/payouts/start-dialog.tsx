import { RadioField, TextField } from "@findersfee/ui/components/controls";
import { Failure, Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { formatMoney, parseMoney } from "@findersfee/ui/formats/money";
import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FormDialog } from "../forms/form-dialog.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { amountsOf } from "./amounts.ts";
import { monthOf } from "./month.ts";
import { type PayoutRow, type Proposal, proposalQuery } from "./queries.ts";
import { payerOf } from "./status.tsx";
import { texts } from "./texts.ts";

type Method = PayoutRow["method"];

const METHODS: readonly Method[] = ["paypal", "wise", "manual"];

export interface StartDialogProps {
  /** The affiliates to pay; without it, all. */
  affiliate_ids?: readonly string[];
  open: boolean;
  onClose: () => void;
}

/** Starts a run, once the person has typed the sum that it pays. If that changed since, it asks again. */
export function StartDialog({ affiliate_ids, open, onClose }: StartDialogProps) {
  const session = useSession();
  const {
    data,
    error: unread,
    refetch,
  } = useQuery({ ...proposalQuery(session, affiliate_ids), enabled: open });
  const { mutate, isPending, error, reset } = useStart(onClose, () => void refetch());
  const [method, setMethod] = useState<Method>("paypal");
  const [is_wrong, setWrong] = useState(false);
  useEffect(() => {
    if (!open) return;
    reset();
    setWrong(false);
  }, [open, reset]);
  const [first] = data?.totals ?? [];
  const submit = (form: FormData) => {
    if (data === undefined || first === undefined) return;
    const is_right = parseMoney(String(form.get("sum") ?? ""), first.currency) === first.amount;
    setWrong(!is_right);
    if (is_right) mutate({ proposal: data, method, affiliate_ids });
  };
  const failure = error === null ? null : failureOf(error);
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={data === undefined ? texts.start_now : texts.start_title(nameOf(data))}
      submit={texts.start_now}
      busy={isPending}
      locks
      onSubmit={submit}
    >
      {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
      {unread !== null && <FailureNotice error={unread} onRetry={() => void refetch()} />}
      {data === undefined && unread === null && <SkeletonRows label={shell_texts.loading} />}
      {data !== undefined && first === undefined && <Notice tone="info" title={texts.start_nothing} />}
      {data !== undefined && first !== undefined && (
        <>
          <Amounts proposal={data} is_chosen={affiliate_ids !== undefined} />
          {data.needs_approval && <Notice tone="info" title={texts.needs_approval} />}
          <MethodField chosen={method} onChoose={setMethod} />
          <TextField
            key={data.as_of}
            label={texts.type_sum(formatMoney(first.amount, first.currency))}
            name="sum"
            inputMode="decimal"
            autoComplete="off"
            error={is_wrong ? texts.wrong_sum(formatMoney(first.amount, first.currency)) : undefined}
          />
        </>
      )}
    </FormDialog>
  );
}

function nameOf({ period, number }: Pick<Proposal, "period" | "number">): string {
  return texts.run_of(monthOf(period), number);
}

function Amounts({ proposal, is_chosen }: { proposal: Proposal; is_chosen: boolean }) {
  const { totals, affiliates } = proposal;
  const payouts = totals.reduce((sum, total) => sum + total.payouts, 0);
  return (
    <>
      <p>{texts.start_hint(texts.payouts_to(payouts, affiliates), amountsOf(totals))}</p>
      <p className="text-table text-muted">
        {is_chosen && `${texts.start_chosen} `}
        {texts.start_once}
      </p>
    </>
  );
}

function MethodField({ chosen, onChoose }: { chosen: Method; onChoose: (method: Method) => void }) {
  return (
    <RadioField
      label={texts.how_paid}
      name="method"
      choices={METHODS.map((value) => ({
        value,
        label: texts.methods[value],
        hint: texts.method_hints[value],
      }))}
      chosen={chosen}
      onChoose={(value) => onChoose(value as Method)}
    />
  );
}

interface Start {
  proposal: Proposal;
  method: Method;
  affiliate_ids: readonly string[] | undefined;
}

function useStart(onClose: () => void, onChanged: () => void) {
  const { api, organization, home } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { navigate } = useNavigation();
  return useMutation({
    mutationFn: ({ proposal: { period, number, as_of, totals }, method, affiliate_ids }: Start) =>
      api.dashboard.payout_runs.start.mutate({
        period,
        number,
        method,
        confirmed: { as_of, totals },
        ...(affiliate_ids === undefined ? {} : { affiliate_ids: [...affiliate_ids] }),
      }),
    onSuccess: (run) => {
      onClose();
      const name = payerOf({ name: run.started_by_name, actor: run.started_by });
      toast({ text: run.is_new ? texts.run_started(nameOf(run)) : texts.already_started(nameOf(run), name) });
      navigate(`${home}/payouts/runs/${run.id}`);
    },
    onError: (error) => {
      if (failureOf(error).status === 409) onChanged();
    },
    // Somebody else may have started it.
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
}
