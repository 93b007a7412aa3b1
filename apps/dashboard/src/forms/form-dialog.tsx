import { Button, type ButtonLook } from "@findersfee/ui/components/button";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type FormEvent, type ReactNode, useId } from "react";
import { texts } from "./texts.ts";

export interface FormDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The text of the button that sends the form. */
  submit: string;
  look?: ButtonLook;
  busy: boolean;
  /** While it is busy, the dialog cannot be closed. */
  locks?: boolean;
  onSubmit: (form: FormData) => void;
  children: ReactNode;
}

/** A dialog with a form, which checks its fields itself. */
export function FormDialog({
  open,
  onClose,
  title,
  submit,
  look = "solid",
  busy,
  locks = false,
  onSubmit,
  children,
}: FormDialogProps) {
  const form_id = useId();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      locked={locks && busy}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look={look} type="submit" form={form_id} busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={form_id} onSubmit={send} className="grid gap-5" noValidate>
        {children}
      </form>
    </Dialog>
  );
}
