import type { PublicProgram } from "@findersfee/contract/portal/join";
import type { DraftState } from "@findersfee/ui/forms/use-draft-value";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { useState } from "react";
import { useLanguage } from "../../language/language.tsx";
import { type Problems, problemsOf } from "../application-form/draft.ts";
import type { JoinDraft } from "./draft.ts";
import { sendJoining } from "./send.ts";

interface State {
  busy: boolean;
  problems: Problems;
  failure: Failure | null;
  /** How often the form was refused. */
  refused: number;
}

/** Something at both sides of an `@`. The service knows more. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Sends a form for joining, which has a code mailed to its address. */
export function useJoining({
  program,
  draft,
  onOutdated,
}: {
  program: PublicProgram;
  draft: DraftState<JoinDraft>;
  /** The questions that the service holds the form to are others. */
  onOutdated: () => void;
}) {
  const { organization, campaign } = program;
  const { language } = useLanguage();
  const [state, setState] = useState<State>({ busy: false, problems: {}, failure: null, refused: 0 });
  const { email, accepted_terms } = draft.value;

  const submit = async (website: string) => {
    const problems: Problems = {
      ...problemsOf(draft.value, campaign),
      ...(EMAIL.test(email.trim()) ? {} : { email: email.trim() === "" ? "required" : "email" }),
      ...(organization.terms_url !== null && !accepted_terms ? { accepted_terms: "terms" } : {}),
    };
    const refuse = (failure: Failure | null) =>
      setState(({ refused }) => ({ busy: false, problems, failure, refused: refused + 1 }));
    if (Object.keys(problems).length > 0) return refuse(null);
    setState((now) => ({ ...now, busy: true, problems: {}, failure: null }));
    try {
      draft.set({ requested: await sendJoining(program, draft.value, { language, website }) });
      setState((now) => ({ ...now, busy: false }));
    } catch (error) {
      const failure = failureOf(error);
      const is_outdated =
        failure.status === 404 || failure.issues.some(({ path }) => path.startsWith("custom_fields"));
      if (is_outdated) onOutdated();
      refuse(failure);
    }
  };
  return { ...state, submit };
}
