import { Button } from "@findersfee/ui/components/button";
import { TextAreaField } from "@findersfee/ui/components/controls";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type FormEvent, useId } from "react";
import { texts } from "./texts.ts";

const LONGEST = 1000;

/** Asks for the reason of a ban, which the affiliate sees in the portal. */
export function BanDialog({
  name,
  onClose,
  onBan,
}: {
  name: string;
  onClose: () => void;
  onBan: (reason: string | null) => void;
}) {
  const form_id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    onBan(reason === "" ? null : reason);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.ban_title(name)}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" type="submit" form={form_id}>
            {texts.ban}
          </Button>
        </>
      }
    >
      <form id={form_id} onSubmit={submit} className="grid gap-4">
        <p className="text-table text-muted">{texts.ban_hint}</p>
        <TextAreaField
          label={texts.ban_reason}
          name="reason"
          optional
          hint={texts.ban_reason_hint}
          maxLength={LONGEST}
        />
      </form>
    </Dialog>
  );
}
