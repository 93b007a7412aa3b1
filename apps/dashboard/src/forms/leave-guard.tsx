import { Button } from "@findersfee/ui/components/button";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useBlocker } from "@tanstack/react-router";
import { texts } from "./texts.ts";

export interface LeaveGuardProps {
  /** Asked when somebody goes to another page. */
  isDirty: () => boolean;
  /** Pages below this path share the draft. */
  path: string;
  /** The changes that would be lost. */
  hint: string;
  onDiscard: () => void;
}

/** Asks before changes are lost by a click on another page. */
export function LeaveGuard({ isDirty, path, hint, onDiscard }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => isDirty() && !next.pathname.startsWith(path),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === "blocked"}
      onClose={() => reset?.()}
      title={texts.leave_title}
      actions={
        <>
          <Button onClick={() => reset?.()}>{texts.stay}</Button>
          <Button
            look="danger"
            onClick={() => {
              onDiscard();
              proceed?.();
            }}
          >
            {texts.leave}
          </Button>
        </>
      }
    >
      <p className="text-muted">{hint}</p>
    </Dialog>
  );
}
