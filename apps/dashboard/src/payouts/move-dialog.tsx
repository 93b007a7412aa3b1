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
  /** Whether paid money came back. Nothing else can follow then. */
  is_return?: boolean;
  open: boolean;
  onClose: () => void;
}

/** Marks payouts as processing, paid, failed or canceled. Nothing is chosen at first: most of it cannot be undone. */
export function MoveDialog({ payouts, is_return = false, open, onClose }: MoveDialogProps) {
  const [chosen, setChosen] = useState<Move | null>(null);
  const [is_missing, setMissing] = useState(false);
  const { mutate, isPending, error, reset } = useMove(payouts, onClose);
  useEffect(() => {
    if (!open) return;
    reset();
    setChosen(null);
    setMissing(false);
  }, [open, reset]);
  const status = is_return ? "failed" : chosen;
  const submit = (form: FormData) => {
    setMissing(status === null);
    if (status !== null) mutate({ status, reason: String(form.get("reason") ?? "").trim() });
  };
  const is_released = status === "failed" || status === "canceled";
  const count = "ids" in payouts ? payouts.ids.length : payouts.count;
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={is_return ? run_texts.return_title : run_texts.mark_title(count)}
      submit={is_return ? run_texts.return_submit : run_texts.move}
      busy={isPending}
      locks
      onSubmit={submit}
    >
      {is_return ? (
        <p>{run_texts.return_hint}</p>
      ) : (
        <RadioField
          label={run_texts.mark_as}
          name="status"
          choices={MOVES.map((value) => ({
            value,
            label: run_texts.moves[value],
            hint: run_texts.move_hints[value],
          }))}
          chosen={chosen ?? ""}
          onChoose={(value) => setChosen(value as Move)}
          {...(is_missing && status === null ? { error: run_texts.mark_missing } : {})}
        />
      )}
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
