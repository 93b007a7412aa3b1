import { Button } from "@findersfee/ui/components/button";
import { Checkbox, TextAreaField } from "@findersfee/ui/components/controls";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type FormEvent, useDeferredValue, useId, useState } from "react";
import { MailPreview } from "./mail-preview.tsx";
import type { Decline } from "./use-review.ts";
import { texts } from "./waiting-texts.ts";

export interface DeclineDialogProps {
  /** The application. */
  id: string;
  name: string;
  open: boolean;
  onClose: () => void;
  onDecline: (how: Decline) => void;
}

/** Asks for the reason of a refusal, and whether to mail it. */
export function DeclineDialog({ open, onClose, name, ...rest }: DeclineDialogProps) {
  const form_id = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.decline_title(name)}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" type="submit" form={form_id}>
            {texts.decline_confirm}
          </Button>
        </>
      }
    >
      <DeclineForm form_id={form_id} {...rest} />
    </Dialog>
  );
}

function DeclineForm({
  form_id,
  id,
  onDecline,
}: { form_id: string } & Pick<DeclineDialogProps, "id" | "onDecline">) {
  const [reason, setReason] = useState("");
  const [mail, setMail] = useState(true);
  const shown = useDeferredValue(reason);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDecline({ reason: reason.trim() || null, mail });
  };
  return (
    <form id={form_id} onSubmit={submit} className="grid gap-4">
      <TextAreaField
        label={texts.reason}
        optional
        hint={texts.reason_hint}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Checkbox label={texts.send_mail} checked={mail} onChange={(event) => setMail(event.target.checked)} />
      {mail && (
        <details>
          <summary className="text-table text-muted">{texts.mail_of_decline}</summary>
          <div className="pt-2">
            <MailPreview id={id} kind="declined" reason={shown.trim() || null} />
          </div>
        </details>
      )}
    </form>
  );
}
