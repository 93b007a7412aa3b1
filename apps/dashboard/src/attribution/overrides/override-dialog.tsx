import { Button, type ButtonLook } from "@findersfee/ui/components/button";
import { TextAreaField } from "@findersfee/ui/components/controls";
import { Failure, Notice } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { failureOf } from "@findersfee/ui/requests/failure";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { type ErrorOf, fieldFailures } from "../../forms/field-failures.ts";
import { Preview } from "./preview.tsx";
import { texts } from "./texts.ts";
import {
  type OverridePreview,
  type OverrideRequest,
  type OverrideResult,
  useOverride,
} from "./use-override.ts";

/** The most characters of a reason. */
const MAX_REASON = 500;

export interface OverrideDialogProps {
  onClose: () => void;
  title: string;
  hint?: string;
  /** The words of the button. */
  confirm: string;
  look?: ButtonLook;
  /** The toast when it is done. */
  done: string;
  /** Another choice has another preview. Null: not chosen yet. */
  choice: string | null;
  send: (request: OverrideRequest) => Promise<OverrideResult>;
  /** The text for an override that changes nothing now. */
  nothing: string;
  warn?: (preview: OverridePreview) => ReactNode;
  /** The fields of the choice; `is_missing` once the form was sent without one. */
  children?: (is_missing: boolean, errorOf: ErrorOf) => ReactNode;
}

/** A dialog that shows the changes of an override, asks for a reason, and then makes these changes. */
export function OverrideDialog(props: OverrideDialogProps) {
  const { onClose, title, hint, confirm, look = "solid", choice, nothing, warn, children } = props;
  const form_id = useId();
  const { preview, override } = useOverride(props);
  const [missing, setMissing] = useState<"nothing" | "choice" | "reason">("nothing");
  const shown = choice === null ? undefined : preview.data;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React lets the event bubble from a dialog inside of this one.
    if (event.target !== event.currentTarget || override.isPending) return;
    const field = event.currentTarget.elements.namedItem("reason");
    const reason = field instanceof HTMLTextAreaElement ? field.value.trim() : "";
    setMissing(choice === null ? "choice" : reason === "" ? "reason" : "nothing");
    if (choice !== null && reason === "" && field instanceof HTMLTextAreaElement) field.focus();
    if (shown !== undefined && reason !== "") override.mutate({ reason, version: shown.version });
  };
  const has_changed = failureOf(override.error).code === "override_changed";
  const { errorOf, failure } = fieldFailures(preview.error ?? (has_changed ? null : override.error), [
    "email",
  ]);
  return (
    <Dialog
      open
      onClose={onClose}
      locked={override.isPending}
      title={title}
      shape="wide"
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            look={look}
            type="submit"
            form={form_id}
            busy={override.isPending}
            disabled={choice !== null && shown === undefined}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <form id={form_id} onSubmit={submit} className="grid grid-cols-1 gap-5" noValidate>
        {hint !== undefined && <p className="text-muted">{hint}</p>}
        {children?.(missing === "choice" && choice === null, errorOf)}
        {has_changed && <Notice tone="warn" title={texts.changed} alert />}
        <div role="status" className="empty:hidden">
          {preview.isPending && texts.checking}
        </div>
        {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
        {shown !== undefined && <Preview preview={shown} nothing={nothing} />}
        {shown !== undefined && warn?.(shown)}
        <TextAreaField
          label={texts.reason}
          name="reason"
          required
          maxLength={MAX_REASON}
          hint={texts.reason_hint}
          error={missing === "reason" ? texts.reason_missing : undefined}
        />
      </form>
    </Dialog>
  );
}
