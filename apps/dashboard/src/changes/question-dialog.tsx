import { Button, type ButtonLook } from "@findersfee/ui/components/button";
import { Failure } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId } from "react";
import { failureOf } from "../requests/failure.ts";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

export interface QuestionDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The word of the button. */
  confirm: string;
  look?: ButtonLook;
  /** The toast when it is done. */
  done: string;
  /** The queries that the change concerns, by the second part of their keys. */
  changes: string;
  /** False: a field is not as it must be, and says so. */
  accepts?: (form: FormData) => boolean;
  run: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}

/** A dialog with a change, and the reason why it was refused. */
export function QuestionDialog({
  open,
  onClose,
  title,
  confirm,
  look = "solid",
  done,
  changes,
  accepts = () => true,
  run,
  children,
}: QuestionDialogProps) {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const form_id = useId();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      onClose();
      toast({ text: done });
      await client.invalidateQueries({ queryKey: [organization.id, changes] });
    },
  });
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (accepts(form)) mutate(form);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look={look} type="submit" form={form_id} busy={isPending}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id={form_id} onSubmit={submit} className="grid gap-4">
        {children}
        {error !== null && (
          <Failure message={failureOf(error).message} request_id={failureOf(error).request_id} />
        )}
      </form>
    </Dialog>
  );
}
