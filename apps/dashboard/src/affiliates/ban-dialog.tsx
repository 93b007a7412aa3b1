import { Button } from "@findersfee/ui/components/button";
import { TextAreaField } from "@findersfee/ui/components/controls";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type FormEvent, useId } from "react";
import { texts } from "./ban-texts.ts";

const LONGEST = 1000;

/** Asks for the reason of a ban, which the affiliates see in the portal. */
export function BanDialog({
  names,
  onClose,
  onBan,
}: {
  names: readonly string[];
  onClose: () => void;
  onBan: (reason: string | null) => void;
}) {
  const form_id = useId();
  const [name] = names;
  const is_one = name !== undefined && names.length === 1;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    onBan(reason === "" ? null : reason);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={is_one ? texts.title(name) : texts.title_of_several(names.length)}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" type="submit" form={form_id}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <form id={form_id} onSubmit={submit} className="grid gap-4">
        <p className="text-table text-muted">{is_one ? texts.hint : texts.hint_of_several}</p>
        <TextAreaField
          label={texts.reason}
          name="reason"
          optional
          hint={is_one ? texts.reason_hint : texts.reason_hint_of_several}
          maxLength={LONGEST}
        />
      </form>
    </Dialog>
  );
}
