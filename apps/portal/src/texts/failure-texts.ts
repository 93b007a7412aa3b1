import type { ErrorCode } from "@findersfee/contract/errors";

export interface FailureTexts {
  title: string;
  unreachable: string;
  unavailable: string;
  busy: string;
  again_in: (seconds: number) => string;
  unknown: string;
  crashed: string;
  crashed_hint: string;
  reload: string;
  program_closed: string;
  application_refused: string;
  /** Errors of the service that affiliates can get. Those that are missing have the service's English message, or `unknown`. */
  codes: Partial<Record<ErrorCode, string>>;
}
