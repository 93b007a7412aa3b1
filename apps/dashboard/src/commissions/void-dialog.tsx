import { TextAreaField } from "@findersfee/ui/components/controls";
import { FormDialog } from "../forms/form-dialog.tsx";
import { texts } from "./texts.ts";

export interface VoidDialogProps {
  /** The number of commissions. */
  count: number;
  open: boolean;
  onClose: () => void;
  onVoid: (reason: string | null) => void;
}

/** Asks why commissions are voided. */
export function VoidDialog({ count, open, onClose, onVoid }: VoidDialogProps) {
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.void_title(count)}
      submit={texts.void_confirm}
      look="danger"
      busy={false}
      onSubmit={(form) => {
        onClose();
        onVoid(reasonIn(form));
      }}
    >
      <p className="text-muted">{texts.void_hint}</p>
      <ReasonField />
    </FormDialog>
  );
}

/** Why a person changes a commission, for its history. */
export function ReasonField({ error }: { error?: string | undefined }) {
  return (
    <TextAreaField
      label={texts.reason}
      name="reason"
      optional
      maxLength={500}
      hint={texts.reason_hint}
      error={error}
    />
  );
}

export function reasonIn(form: FormData): string | null {
  return String(form.get("reason") ?? "").trim() || null;
}
