import { Button } from "@findersfee/ui/components/button";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { saveFile } from "../../requests/download.ts";
import { texts } from "./texts.ts";

/** Shows recovery codes, which no one can see again. */
export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  codes: readonly string[] | null;
  onClose: () => void;
}) {
  const text = (codes ?? []).join("\n");
  return (
    <Dialog
      open={codes !== null}
      onClose={onClose}
      locked
      title={texts.save_codes}
      actions={
        <Button look="solid" onClick={onClose}>
          {texts.codes_saved}
        </Button>
      }
    >
      <p>{texts.save_codes_hint}</p>
      <ul
        aria-label={texts.recovery_codes}
        className="my-4 grid gap-x-6 gap-y-1 rounded-card border border-line bg-sunk px-4 py-3 font-mono text-table wide:grid-cols-2"
      >
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} />
        <Button
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: "text/plain" }), "findersfee-recovery-codes.txt")
          }
        >
          {texts.download}
        </Button>
      </div>
    </Dialog>
  );
}
