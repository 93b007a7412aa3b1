import { MAX_CLAIM_ANSWER } from "@findersfee/contract/customers/claim-limits";
import { Button } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import { SelectField, TextAreaField } from "@findersfee/ui/components/controls";
import { Failure, Notice } from "@findersfee/ui/components/notice";
import { formatDay } from "@findersfee/ui/formats/dates";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import { nameOf } from "../../affiliates/name.ts";
import { useSession } from "../../session/session.tsx";
import { DecidedByOther } from "./decided-by-other.tsx";
import { Preview } from "./preview.tsx";
import type { ClaimDetail } from "./queries.ts";
import { texts } from "./texts.ts";
import { claimedPayment } from "./verdict.ts";

export interface DecisionDialogProps {
  detail: ClaimDetail;
  onClose: () => void;
}

/** Shows the commission for accepting the claim for a payment, and then accepts it. */
export function AcceptDialog({ detail, onClose }: DecisionDialogProps) {
  const { claim, payments } = detail;
  const name = nameOf(claim.affiliate);
  const form_id = useId();
  const payable = payments.filter(({ obstacle }) => obstacle === null);
  const likely = claimedPayment(detail);
  const [chosen, setChosen] = useState((payable.find(({ id }) => id === likely?.id) ?? payable[0])?.id ?? "");
  const { preview, accept } = useAcceptance({ id: claim.id, payment_decision_id: chosen, name, onClose });
  const amount =
    preview.data === undefined ? null : formatMoney(preview.data.commission_amount, preview.data.currency);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const answer = String(new FormData(event.currentTarget).get("answer") ?? "").trim();
    if (preview.data !== undefined && !accept.isPending) {
      accept.mutate({ answer: answer || null, version: preview.data.version });
    }
  };
  const has_changed = failureOf(accept.error).code === "claim_changed";
  const error = preview.error ?? (has_changed ? null : accept.error);
  const is_decided = claim.state !== "open" && !accept.isPending;
  return (
    <Dialog
      open
      onClose={onClose}
      locked={accept.isPending}
      title={texts.accept_title(name)}
      shape="wide"
      actions={
        is_decided ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button
              look="solid"
              type="submit"
              form={form_id}
              busy={accept.isPending}
              disabled={amount === null}
            >
              {amount === null ? texts.accept_wait : texts.accept_confirm(amount)}
            </Button>
          </>
        )
      }
    >
      <form id={form_id} onSubmit={submit} className="grid gap-5">
        {is_decided && <DecidedByOther claim={claim} />}
        <PaymentChoice payments={payable} chosen={chosen} onChoose={setChosen} />
        {has_changed && <Notice tone="warn" title={texts.recalculated} alert />}
        <div role="status">{preview.isPending && texts.checking}</div>
        {error !== null && !is_decided && (
          <Failure message={failureOf(error).message} request_id={failureOf(error).request_id} />
        )}
        {preview.data !== undefined && <Preview detail={detail} chosen={chosen} preview={preview.data} />}
        <TextAreaField
          label={texts.accept_answer}
          optional
          name="answer"
          maxLength={MAX_CLAIM_ANSWER}
          hint={texts.accept_answer_hint(name)}
        />
      </form>
    </Dialog>
  );
}

/** The preview of a payment, and the acceptance of exactly its changes. */
function useAcceptance({
  id,
  payment_decision_id,
  name,
  onClose,
}: {
  id: string;
  payment_decision_id: string;
  name: string;
  onClose: () => void;
}) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { claims } = api.dashboard;
  const preview = useMutation({ mutationFn: () => claims.preview.mutate({ id, payment_decision_id }) });
  const { mutate } = preview;
  const paid = preview.data;
  const accept = useMutation({
    mutationFn: (decision: { answer: string | null; version: string }) =>
      claims.accept.mutate({ id, payment_decision_id, ...decision }),
    onSuccess: async () => {
      onClose();
      if (paid !== undefined) {
        toast({ text: texts.accepted(name, formatMoney(paid.commission_amount, paid.currency)) });
      }
      await client.invalidateQueries({ queryKey: [organization.id] });
    },
    onError: async (error) => {
      if (failureOf(error).code === "claim_changed") mutate();
      await client.invalidateQueries({ queryKey: [organization.id, "claims"] });
    },
  });
  const { reset } = accept;
  useEffect(() => {
    reset();
    mutate();
  }, [payment_decision_id, mutate, reset]);
  return { preview, accept };
}

/** The payment that the claim is about, if there are several. */
function PaymentChoice({
  payments,
  chosen,
  onChoose,
}: {
  payments: ClaimDetail["payments"];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const clock = useClock();
  if (payments.length < 2) return null;
  return (
    <SelectField
      label={texts.accept_payment}
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
    >
      {payments.map(({ id, paid_at, revenue_amount, currency }) => (
        <option key={id} value={id}>
          {texts.payment_choice(formatDay(new Date(paid_at), clock), formatMoney(revenue_amount, currency))}
        </option>
      ))}
    </SelectField>
  );
}
