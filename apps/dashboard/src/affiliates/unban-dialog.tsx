import { RadioField } from "@findersfee/ui/components/controls";
import { useState } from "react";
import { FormDialog } from "../forms/form-dialog.tsx";
import { texts } from "./ban-texts.ts";

type Release = keyof typeof texts.releases;

const RELEASES = Object.keys(texts.releases) as Release[];

/** Asks whether payout runs pay affiliates again after the ban. */
export function UnbanDialog({
  title,
  question,
  onClose,
  onUnban,
}: {
  title: string;
  question: string;
  onClose: () => void;
  onUnban: (release: boolean) => void;
}) {
  const [chosen, setChosen] = useState<Release>("release");
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      submit={texts.unban_confirm}
      busy={false}
      onSubmit={() => onUnban(chosen === "release")}
    >
      <RadioField
        label={question}
        name="release"
        choices={RELEASES.map((value) => ({ value, ...texts.releases[value] }))}
        chosen={chosen}
        onChoose={(value) => setChosen(value as Release)}
      />
    </FormDialog>
  );
}
