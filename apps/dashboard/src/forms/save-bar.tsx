import { Button } from "@findersfee/ui/components/button";
import type { ReactNode } from "react";
import { texts } from "./texts.ts";

/** The place of a form's buttons: at the bottom of the window while the form goes on below it. On a phone, above the pages. */
export function ActionBar({ children }: { children: ReactNode }) {
  return (
    <div
      data-action-bar
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-page py-3 max-wide:bottom-[calc(56px+env(safe-area-inset-bottom))]"
    >
      {children}
    </div>
  );
}

export interface SaveBarProps {
  /** Settings that differ from the saved ones. */
  changed: number;
  busy: boolean;
  onDiscard: () => void;
  /** Without it, the button sends the form around it. */
  onSave?: () => void;
}

/** Appears with the first change of a form: how many there are, and whether to save or discard them. */
export function SaveBar({ changed, busy, onDiscard, onSave }: SaveBarProps) {
  if (changed === 0) return null;
  return (
    <ActionBar>
      <p role="status" className="mr-auto text-table text-muted tabular-nums">
        {texts.unsaved(changed)}
      </p>
      <Button onClick={onDiscard}>{texts.discard}</Button>
      <Button look="solid" busy={busy} {...(onSave === undefined ? { type: "submit" } : { onClick: onSave })}>
        {texts.save}
      </Button>
    </ActionBar>
  );
}
