import { Button } from "@findersfee/ui/components/button";
import { Code } from "@findersfee/ui/components/code";
import { Notice } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { texts } from "./texts.ts";

/** A new signing secret, which is shown once: only its button closes the dialog. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={secret !== null}
      onClose={onClose}
      locked
      title={texts.new_secret}
      actions={
        <Button look="solid" onClick={onClose}>
          {texts.done}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Notice tone="warn" title={texts.shown_once}>
          {texts.shown_once_hint}
        </Notice>
        <Code label={texts.new_secret} copy={secret ?? ""}>
          {secret}
        </Code>
      </div>
    </Dialog>
  );
}
