import { answer_words } from "./answer-words.ts";

/** The form for applications of a campaign. */
export const texts = {
  questions: "Questions",
  questions_hint: "Affiliates answer these when they join.",
  add_question: "Add question",
  no_questions: "The form asks for name and email only.",
  question: "Question",
  question_number: (number: number) => `Question ${number}`,
  type: "Answer",
  types: answer_words,
  options: "Choices, one per line",
  required: "Required",
  drag: (label: string) => `Drag ${label || "the question"}`,
  up: (label: string) => `Move ${label || "the question"} up`,
  down: (label: string) => `Move ${label || "the question"} down`,
  delete: (label: string) => `Delete ${label || "the question"}`,
  moved: (label: string, place: number) => `${label || "The question"} is now number ${place}`,
  answers_stay: "Answers already given stay, even if you delete the question.",
  details: "Details",
  collect_details: "Add a field for anything else",
  details_text: "Text above the field",
  /** As in the portal. */
  choose: "Choose…",
  preview: "Preview",
  preview_join: (name: string) => `Join ${name || "the program"}`,
  first_name: "First name",
  last_name: "Last name",
  email: "Email",
  preview_send: "Join",
};
