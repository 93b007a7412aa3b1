import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type FormEvent, useId, useState } from "react";
import { texts } from "./texts.ts";

export interface OpenPeriodDialogProps {
  days: { first: string; last: string } | null;
  onClose: () => void;
  onChoose: (period: string) => void;
}

/** Takes the first and the last day of a period. */
export function OpenPeriodDialog({ days, onClose, onChoose }: OpenPeriodDialogProps) {
  const form_id = useId();
  const [is_reversed, setIsReversed] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [first, last] = [String(form.get("first")), String(form.get("last"))];
    setIsReversed(last < first);
    if (last < first) return;
    onClose();
    onChoose(`${first}..${last}`);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.period}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="solid" type="submit" form={form_id}>
            {texts.apply}
          </Button>
        </>
      }
    >
      <form id={form_id} onSubmit={submit} className="grid gap-5">
        <p className="text-muted">{texts.days_hint}</p>
        <TextField label={texts.first_day} name="first" type="date" required defaultValue={days?.first} />
        <TextField
          label={texts.last_day}
          name="last"
          type="date"
          required
          defaultValue={days?.last}
          error={is_reversed ? texts.days_reversed : undefined}
        />
      </form>
    </Dialog>
  );
}
