import { Button } from "@findersfee/ui/components/button";
import { Checkbox, TextAreaField } from "@findersfee/ui/components/controls";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type FormEvent, useDeferredValue, useId, useState } from "react";
import { MailPreview } from "./mail-preview.tsx";
import type { Decline } from "./use-review.ts";
import { texts } from "./waiting-texts.ts";

export interface DeclineDialogProps {
  /** The applications. */
  ids: readonly string[];
  /** The name of the first applicant. */
  name: string;
  open: boolean;
  onClose: () => void;
  onDecline: (how: Decline) => void;
}

/** Asks for the reason of a refusal, and whether to mail it. */
export function DeclineDialog({ open, onClose, ids, name, onDecline }: DeclineDialogProps) {
  const form_id = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={ids.length > 1 ? texts.decline_several(ids.length) : texts.decline_title(name)}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" type="submit" form={form_id}>
            {texts.decline_confirm}
          </Button>
        </>
      }
    >
      <DeclineForm form_id={form_id} ids={ids} onDecline={onDecline} />
    </Dialog>
  );
}

function DeclineForm({
  form_id,
  ids,
  onDecline,
}: { form_id: string } & Pick<DeclineDialogProps, "ids" | "onDecline">) {
  const [first = ""] = ids;
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
            {ids.length > 1 && <p className="pb-2 text-table text-muted">{texts.sent_to_each}</p>}
            <MailPreview id={first} kind="declined" reason={shown.trim() || null} />
          </div>
        </details>
      )}
    </form>
  );
}
