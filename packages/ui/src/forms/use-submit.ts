import { type FormEvent, useState } from "react";
import { type Failure, failureOf } from "../requests/failure.ts";

export interface Submission {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  busy: boolean;
  /** Why the whole form was refused; null while it was not, and if a field says it. */
  failure: Failure | null;
  /** The reason why the service refused a field. */
  errorOf: (field: string) => string | undefined;
}

/** A form is sent once: it stays busy when it is done, since another page follows. */
type State = { is_sent: boolean; failure: Failure | null };

/**
 * Sends a form with its fields as texts, after the browser has checked them as far as it can. It does not use
 * `useMutation`: that would add 1 kB to the sign-in, and would treat a wrong password as the end of a
 * session.
 */
export function useSubmit<Answer>(
  send: (fields: Record<string, string>) => Promise<Answer>,
  onDone: (answer: Answer) => void,
): Submission {
  const [{ is_sent, failure }, setState] = useState<State>({ is_sent: false, failure: null });
  const submit = async (fields: Record<string, string>) => {
    setState({ is_sent: true, failure: null });
    try {
      onDone(await send(fields));
    } catch (error) {
      setState({ is_sent: false, failure: failureOf(error) });
    }
  };
  return {
    onSubmit: (event) => {
      event.preventDefault();
      if (is_sent) return;
      const entries = [...new FormData(event.currentTarget)].filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      );
      void submit(Object.fromEntries(entries));
    },
    busy: is_sent,
    failure: failure !== null && failure.issues.length === 0 ? failure : null,
    errorOf: (field) => failure?.issues.find(({ path }) => path === field)?.message,
  };
}
