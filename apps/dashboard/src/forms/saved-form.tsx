import { Button } from "@findersfee/ui/components/button";
import { Failure } from "@findersfee/ui/components/notice";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { Canceled } from "../requests/canceled.ts";
import type { SavedTexts } from "./changed-fields.ts";
import { type ErrorOf, fieldFailures } from "./field-failures.ts";
import { focusChoice } from "./focus-choice.ts";
import { texts } from "./texts.ts";
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
  /** Whether its fields are in sections with titles beside them. */
  in_sections?: boolean;
  /** False: the person may not, and the button is absent. */
  may_save?: boolean;
}

/** A form on a page, which stays open when it is saved. */
export function SavedForm({
  save,
  children,
  fields,
  draft,
  read,
  in_sections = false,
  may_save = true,
}: SavedFormProps) {
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (form: FormData) => {
      if (draft !== undefined && read !== undefined && !draft.agreesWith(await read())) throw new Canceled();
      const forget = draft?.send();
      await save(form);
      forget?.();
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
      {...(draft === undefined ? {} : { ref: draft.form })}
      onSubmit={submit}
      className="grid gap-5"
      noValidate
    >
      {children(errorOf)}
      {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
      {may_save && (
        <div className={in_sections ? "pb-8 full:pl-[288px]" : ""}>
          <Button look="solid" type="submit" busy={isPending}>
            {texts.save}
          </Button>
        </div>
      )}
    </form>
  );
}
