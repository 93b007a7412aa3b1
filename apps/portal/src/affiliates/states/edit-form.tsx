import { Button } from "@findersfee/ui/components/button";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { type DraftState, useDraftState } from "@findersfee/ui/forms/use-draft-value";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { FormFailure } from "../../identity/sign-in/form-failure.tsx";
import { useLanguage } from "../../language/language.tsx";
import { meQuery, useSession } from "../../session/session.tsx";
import { type ApplicationForm, applicationOf, type Problems, problemsOf } from "../application-form/draft.ts";
import type { ApplicationDraft } from "../application-form/empty.ts";
import { errorsOf } from "../application-form/errors.ts";
import { ApplicationFields } from "../application-form/fields.tsx";
import { useFirstProblem } from "../application-form/use-first-problem.ts";
import { type Application, applicationQuery, draftOf } from "./application.ts";

interface EditFormProps {
  sent: Application;
  onSaved: () => void;
  onCancel: () => void;
}

/** Edits an application that waits for a decision. */
export function EditForm({ sent, onSaved, onCancel }: EditFormProps) {
  const { program } = useSession();
  const form = sent.campaign;
  const initial = draftOf(sent);
  const draft = useDraftState({
    name: program.affiliate_id,
    initial,
    differs: (value) => JSON.stringify(value) !== JSON.stringify(initial),
  });
  const spoken = useLanguage();
  const { join, states } = spoken.texts;
  const [problems, setProblems] = useState<Problems>({});
  const [refused, setRefused] = useState(0);
  const element = useFirstProblem(refused);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const { mutate, isPending, error } = useSaving({ draft, form, onSaved, onRefused: setRefused });
  const failure = error === null ? null : failureOf(error);
  const is_marked = Object.keys(problems).length > 0 || (failure?.issues.length ?? 0) > 0;
  return (
    <form
      ref={element}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending) return;
        const found = problemsOf(draft.value, form);
        setProblems(found);
        if (Object.keys(found).length > 0) setRefused((count) => count + 1);
        else mutate();
      }}
    >
      <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {states.sent}
      </h2>
      <RestoredNote draft={draft} />
      <ApplicationFields
        form={form}
        draft={draft.value}
        set={draft.set}
        errorOf={errorsOf(problems, failure, spoken)}
      />
      {is_marked ? (
        <p role="alert" className="text-table text-bad">
          {join.check_fields}
        </p>
      ) : (
        <FormFailure failure={failure} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="solid" type="submit" busy={isPending}>
          {states.save}
        </Button>
        <Button
          onClick={() => {
            draft.clear();
            onCancel();
          }}
        >
          {states.cancel}
        </Button>
      </div>
    </form>
  );
}

function useSaving({
  draft,
  form,
  onSaved,
  onRefused,
}: {
  draft: DraftState<ApplicationDraft>;
  form: ApplicationForm;
  onSaved: () => void;
  onRefused: (count: (before: number) => number) => void;
}) {
  const client = useQueryClient();
  const { api, program } = useSession();
  const { queryKey } = applicationQuery(api, program.affiliate_id);
  return useMutation({
    mutationFn: () => api.application.update.mutate(applicationOf(draft.value, form)),
    onSuccess: (saved) => {
      draft.clear();
      onSaved();
      client.setQueryData(queryKey, saved);
    },
    onError: async (error) => {
      const failure = failureOf(error);
      // It was decided, or the form has other questions now.
      if (failure.code === "application_decided") await client.refetchQueries(meQuery);
      if (failure.issues.some(({ path }) => path.startsWith("custom_fields"))) {
        await client.refetchQueries({ queryKey });
      }
      onRefused((count) => count + 1);
    },
  });
}
