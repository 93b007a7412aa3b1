import { Failure } from "@findersfee/ui/components/notice";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { Canceled } from "../requests/canceled.ts";
import type { SavedTexts } from "./changed-fields.ts";
import { type ErrorOf, fieldFailures } from "./field-failures.ts";
import { focusChoice } from "./focus-choice.ts";
import { SaveBar } from "./save-bar.tsx";
import { texts } from "./texts.ts";
import { useChangedCount } from "./use-changed-count.ts";
import type { FormDraft } from "./use-draft.ts";

export interface SavedFormProps {
  /** Sends the form, and reads the changed values again. */
  save: (form: FormData) => Promise<unknown>;
  children: (errorOf: ErrorOf) => ReactNode;
  /** Fields that show their own errors. */
  fields: readonly string[];
  draft?: FormDraft;
  /** Reads the saved values again, for the comparison with the draft. */
  read?: () => Promise<SavedTexts>;
  /** False: the person may not, and the button is absent. */
  may_save?: boolean;
}

/** A form on a page, which stays open when it is saved. Its buttons appear with the first change. */
export function SavedForm({ save, children, fields, draft, read, may_save = true }: SavedFormProps) {
  const toast = useToast();
  const counted = useChangedCount();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (form: FormData) => {
      if (draft !== undefined && read !== undefined && !draft.agreesWith(await read())) throw new Canceled();
      const forget = draft?.send();
      await save(form);
      forget?.();
      counted.saved();
    },
    onSuccess: () => toast({ text: texts.saved }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (draft !== undefined && draft.conflicts.length > 0) focusChoice();
    else if (!isPending) mutate(new FormData(event.currentTarget));
  };
  const { errorOf, failure } = fieldFailures(error, fields);
  return (
    <form
      key={draft?.key}
      ref={draft?.form ?? counted.form}
      onSubmit={submit}
      className="grid gap-5"
      noValidate
    >
      {children(errorOf)}
      {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
      {may_save && (
        <SaveBar
          changed={draft?.changed ?? counted.changed}
          busy={isPending}
          onDiscard={() => {
            reset();
            (draft ?? counted).discard();
          }}
        />
      )}
    </form>
  );
}
