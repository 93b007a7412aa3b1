import { RadioField, TextAreaField } from "@findersfee/ui/components/controls";
import { Notice } from "@findersfee/ui/components/notice";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useEffect, useState } from "react";
import { FormDialog } from "../forms/form-dialog.tsx";
import { run_texts } from "./run-texts.ts";
import { type Movable, type Move, useMove } from "./use-move.ts";

const MOVES = Object.keys(run_texts.moves) as Move[];

export interface MoveDialogProps {
  payouts: Movable;
  open: boolean;
  onClose: () => void;
}

/** Marks payouts as processing, paid, failed or canceled. */
export function MoveDialog({ payouts, open, onClose }: MoveDialogProps) {
  const [status, setStatus] = useState<Move>("paid");
  const { mutate, isPending, error, reset } = useMove(payouts, onClose);
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const submit = (form: FormData) => mutate({ status, reason: String(form.get("reason") ?? "").trim() });
  const is_released = status === "failed" || status === "canceled";
  const count = "ids" in payouts ? payouts.ids.length : payouts.count;
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={run_texts.mark_title(count)}
      submit={run_texts.move}
      busy={isPending}
      locks
      onSubmit={submit}
    >
      <RadioField
        label={run_texts.mark_as}
        name="status"
        choices={MOVES.map((value) => ({
          value,
          label: run_texts.moves[value],
          hint: run_texts.move_hints[value],
        }))}
        chosen={status}
        onChoose={(value) => setStatus(value as Move)}
      />
      {is_released && (
        <TextAreaField
          label={run_texts.reason}
          name="reason"
          maxLength={500}
          hint={run_texts.reason_hint}
          optional
        />
      )}
      {error !== null && <MoveFailure error={error} />}
    </FormDialog>
  );
}

function MoveFailure({ error }: { error: unknown }) {
  const { status, message } = failureOf(error);
  return (
    <Notice tone="bad" title={status === 0 ? run_texts.move_lost : message} alert>
      {status === 0 ? message : undefined}
    </Notice>
  );
}
