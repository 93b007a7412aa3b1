import { Button, type ButtonLook } from "@findersfee/ui/components/button";
import { Failure } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId } from "react";
import { type ErrorOf, fieldFailures } from "../forms/field-failures.ts";
import { focusChoice } from "../forms/focus-choice.ts";
import { texts } from "../forms/texts.ts";
import type { FormDraft } from "../forms/use-draft.ts";

export interface FormDialogProps<Result> {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The words of the button. */
  confirm: string;
  look?: ButtonLook;
  /** The toast when it is done. */
  done?: string;
  /** The queries that are read again when it is done. */
  changes: QueryKey;
  /** False: a field is not as it must be, and says so. */
  accepts?: (form: FormData) => boolean;
  run: (form: FormData) => Promise<Result>;
  onDone?: (result: Result) => void;
  /** The content of the form. */
  children: ReactNode | ((errorOf: ErrorOf) => ReactNode);
  /** Fields that show their own errors. */
  fields?: readonly string[];
  /** Keeps the typed text until it is saved or canceled. */
  draft?: FormDraft;
}

/** A dialog with a form of one change, and the reason why it was refused. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { open, onClose, title, confirm, look = "solid", children, fields = [], draft } = props;
  const form_id = useId();
  const { submit, is_running, error } = useSubmit(props);
  const { errorOf, failure } = fieldFailures(error, fields);
  const cancel = () => {
    draft?.clear();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={cancel}>{texts.cancel}</Button>
          <Button look={look} type="submit" form={form_id} busy={is_running}>
            {confirm}
          </Button>
        </>
      }
    >
      <form
        key={draft?.key}
        {...(draft === undefined ? {} : { ref: draft.form })}
        id={form_id}
        onSubmit={submit}
        className="grid gap-4"
      >
        {typeof children === "function" ? children(errorOf) : children}
        {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
      </form>
    </Dialog>
  );
}

interface Submission {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  is_running: boolean;
  error: Error | null;
}

/** Runs the change of a dialog once, and closes the dialog if it succeeds. */
function useSubmit<Result>({
  open,
  onClose,
  done,
  changes,
  accepts = () => true,
  run,
  onDone,
  draft,
}: FormDialogProps<Result>): Submission {
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: async (result) => {
      draft?.clear();
      onClose();
      if (done !== undefined) toast({ text: done });
      onDone?.(result);
      await client.invalidateQueries({ queryKey: changes });
    },
  });
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React lets the event bubble from a dialog inside of this one.
    if (event.target !== event.currentTarget || isPending) return undefined;
    if (draft !== undefined && draft.conflicts.length > 0) return focusChoice();
    const form = new FormData(event.currentTarget);
    return accepts(form) ? mutate(form) : undefined;
  };
  return { submit, is_running: isPending, error };
}
