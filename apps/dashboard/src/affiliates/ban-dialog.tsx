import { Button } from "@findersfee/ui/components/button";
import { RadioField, TextAreaField } from "@findersfee/ui/components/controls";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type FormEvent, useId, useState } from "react";
import { texts } from "./ban-texts.ts";

const LONGEST = 1000;

/** The choice for amounts that are not paid. */
export type Due = keyof typeof texts.dues;

const DUES = Object.keys(texts.dues) as Due[];

/**
 * Asks for the reason of a ban, which the affiliates see in the portal, and whether to pay, hold or void the
 * amounts that are owed. Holding can be undone, so it is the default.
 */
export function BanDialog({
  name,
  count,
  owed,
  onClose,
  onBan,
}: {
  /** The name of the only affiliate; null: several affiliates, or an unknown name. */
  name: string | null;
  count: number;
  /** The amounts that are owed, in words; null: not known. */
  owed: string | null;
  onClose: () => void;
  onBan: (reason: string | null, due: Due) => void;
}) {
  const form_id = useId();
  const [due, setDue] = useState<Due>("hold");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    onBan(reason === "" ? null : reason, due);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={name === null ? texts.title_of_several(count) : texts.title(name)}
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
        <p className="text-table text-muted">{name === null ? texts.hint_of_several : texts.hint}</p>
        <RadioField
          label={owed === null ? texts.owed : texts.owed_amounts(owed)}
          name="due"
          choices={DUES.map((value) => ({ value, ...texts.dues[value] }))}
          chosen={due}
          onChoose={(value) => setDue(value as Due)}
        />
        <TextAreaField
          label={texts.reason}
          name="reason"
          optional
          hint={name === null ? texts.reason_hint_of_several : texts.reason_hint}
          maxLength={LONGEST}
        />
      </form>
    </Dialog>
  );
}
