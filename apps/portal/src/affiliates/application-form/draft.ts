import type { PublicProgram } from "@findersfee/contract/portal/join";
import { MAX_ANSWER_LENGTHS } from "@findersfee/contract/portal/join-paths";
import type { ApplicationDraft } from "./empty.ts";

/** The questions of a campaign's form. */
export type ApplicationForm = Pick<
  PublicProgram["campaign"],
  "collect_details" | "details_text" | "custom_fields" | "translations"
>;

export type Question = ApplicationForm["custom_fields"][number];

/** A reason why a field cannot be sent. */
export type Problem = "required" | "email" | "choose" | "terms" | { most: number };

/** Problems by the path of the field, as the service names it. */
export type Problems = Record<string, Problem>;

const MAX_NAME = 100;
const MAX_DETAILS = 10_000;

export function answerOf({ answers }: ApplicationDraft, { id, type }: Question): string | string[] {
  const answer = answers[id];
  if (type === "multi_select") return Array.isArray(answer) ? answer : [];
  return typeof answer === "string" ? answer : "";
}

/** The application as the service takes it: an answer for each question, so that issues name the places of the form. */
export function applicationOf(draft: ApplicationDraft, { collect_details, custom_fields }: ApplicationForm) {
  const { first_name, last_name, details } = draft;
  return {
    first_name,
    last_name,
    details: collect_details && details.trim() !== "" ? details : null,
    custom_fields: custom_fields.map((question) => ({ id: question.id, value: answerOf(draft, question) })),
  };
}

/** The errors that the service would return. Browsers would show them in their own language. */
export function problemsOf(
  draft: ApplicationDraft,
  { collect_details, custom_fields }: ApplicationForm,
): Problems {
  const found: [string, Problem | null][] = [
    ["first_name", textProblem(draft.first_name, { required: true, most: MAX_NAME })],
    ["last_name", textProblem(draft.last_name, { required: false, most: MAX_NAME })],
    ["details", collect_details ? textProblem(draft.details, { required: false, most: MAX_DETAILS }) : null],
    ...custom_fields.map((question, index): [string, Problem | null] => [
      pathOf(index),
      answerProblem(answerOf(draft, question), question),
    ]),
  ];
  return Object.fromEntries(found.filter((entry): entry is [string, Problem] => entry[1] !== null));
}

/** The path of a question's issues. */
export const pathOf = (index: number): string => `custom_fields[${index}]`;

function answerProblem(answer: string | string[], { type, required, options }: Question): Problem | null {
  switch (type) {
    case "text":
    case "textarea":
      return textProblem(String(answer), { required, most: MAX_ANSWER_LENGTHS[type] });
    case "select":
      if (answer === "") return required ? "required" : null;
      return options.includes(String(answer)) ? null : "required";
    case "multi_select":
      return required && answer.length === 0 ? "choose" : null;
  }
}

function textProblem(text: string, { required, most }: { required: boolean; most: number }): Problem | null {
  if (required && text.trim() === "") return "required";
  return text.trim().length > most ? { most } : null;
}
