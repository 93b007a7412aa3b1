import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { type Failure, failureOf } from "../requests/failure.ts";

export interface Submission {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  busy: boolean;
  /** Why the whole form was refused; null while it was not, and if a field says it. */
  failure: Failure | null;
  /** The reason why the service refused a field. */
  errorOf: (field: string) => string | undefined;
}

/** Sends a form with its fields as texts. The browser checks what it can before. */
export function useSubmit<Answer>(
  send: (fields: Record<string, string>) => Promise<Answer>,
  onDone: (answer: Answer) => void,
): Submission {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: send, onSuccess: onDone });
  const failure = error === null ? null : failureOf(error);
  return {
    onSubmit: (event) => {
      event.preventDefault();
      if (isPending) return;
      const entries = [...new FormData(event.currentTarget)].filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      );
      mutate(Object.fromEntries(entries));
    },
    busy: isPending || isSuccess,
    failure: failure !== null && failure.issues.length === 0 ? failure : null,
    errorOf: (field) => failure?.issues.find(({ path }) => path === field)?.message,
  };
}
