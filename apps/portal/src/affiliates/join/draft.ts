import type { RequestedCode } from "../../identity/sign-in/requested-code.ts";
import { type ApplicationDraft, EMPTY_APPLICATION } from "../application-form/empty.ts";

/** A form for joining, as it is typed. */
export interface JoinDraft extends ApplicationDraft {
  email: string;
  accepted_terms: boolean;
  /** The code that was mailed for it; null: it was not sent. */
  requested: RequestedCode | null;
}

export const EMPTY_JOIN: JoinDraft = {
  ...EMPTY_APPLICATION,
  email: "",
  accepted_terms: false,
  requested: null,
};
