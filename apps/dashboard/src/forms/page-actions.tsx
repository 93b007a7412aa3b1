import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { ActionBar } from "./save-bar.tsx";
import { texts } from "./texts.ts";

export interface PageActionsProps {
  /** The words of the button that sends the form. */
  submit: string;
  busy: boolean;
  /** The page that Cancel opens. */
  parent: string;
  /** Called when the form is canceled, before the other page opens. */
  onCancel?: () => void;
}

/** The buttons of the form of a page of its own, in view however long the form is. */
export function PageActions({ submit, busy, parent, onCancel }: PageActionsProps) {
  return (
    <ActionBar>
      <Button look="solid" type="submit" busy={busy}>
        {submit}
      </Button>
      <ButtonLink to={parent} onClick={onCancel}>
        {texts.cancel}
      </ButtonLink>
    </ActionBar>
  );
}
