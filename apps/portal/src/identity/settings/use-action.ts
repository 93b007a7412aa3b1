import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { useState } from "react";

export interface Action<Input extends unknown[]> {
  run: (...input: Input) => Promise<void>;
  busy: boolean;
  failure: Failure | null;
  /** It succeeded, and nothing was changed since. */
  is_done: boolean;
  reset: () => void;
}

type State = Pick<Action<[]>, "busy" | "failure" | "is_done">;

const IDLE: State = { busy: false, failure: null, is_done: false };

/** A change that people make again and again on one page. While it runs, it does not start again. */
export function useAction<Input extends unknown[]>(
  act: (...input: Input) => Promise<unknown>,
): Action<Input> {
  const [state, setState] = useState(IDLE);
  const run = async (...input: Input) => {
    if (state.busy) return;
    setState({ ...IDLE, busy: true });
    try {
      await act(...input);
      setState({ ...IDLE, is_done: true });
    } catch (error) {
      setState({ ...IDLE, failure: failureOf(error) });
    }
  };
  return { run, ...state, reset: () => setState(IDLE) };
}
