/** The parts of an application that can be edited until it is decided, as they are typed. */
export interface ApplicationDraft {
  first_name: string;
  last_name: string;
  details: string;
  /** The answers by the id of the question. */
  answers: Record<string, string | string[]>;
}

export const EMPTY_APPLICATION: ApplicationDraft = {
  first_name: "",
  last_name: "",
  details: "",
  answers: {},
};
