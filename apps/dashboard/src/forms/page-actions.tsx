import { Button, ButtonLink } from "@findersfee/ui/components/button";
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

/** The buttons below the form of a page of its own. */
export function PageActions({ submit, busy, parent, onCancel }: PageActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="solid" type="submit" busy={busy}>
        {submit}
      </Button>
      <ButtonLink to={parent} onClick={onCancel}>
        {texts.cancel}
      </ButtonLink>
    </div>
  );
}
