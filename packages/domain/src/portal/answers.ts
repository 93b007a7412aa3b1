import {
  type ByLanguage,
  type QuestionTranslation,
  questionIn,
  type Translation,
} from "@findersfee/contract/campaigns/translations";
import type { Issue } from "@findersfee/contract/errors";
import type { ApplicationInput } from "@findersfee/contract/portal/join";
import { MAX_ANSWER_LENGTHS, portalLanguages } from "@findersfee/contract/portal/join-paths";
import type { CustomFieldAnswerRow, CustomFieldRow } from "@findersfee/database/rows";

type SentAnswers = ApplicationInput["custom_fields"];
type Answer = SentAnswers[number]["value"];

/** Between the chosen options of a question with several. */
const SEPARATOR = ", ";

/**
 * The answers in the form of `custom_fields` of an affiliate: one for each question, in their order, empty if
 * it was skipped; and the issues with them.
 */
export function readAnswers(
  questions: readonly CustomFieldRow[],
  sent: SentAnswers,
): { answers: CustomFieldAnswerRow[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const sent_by_id = new Map(sent.map(({ id, value }) => [id, value]));
  if (sent_by_id.size < sent.length)
    issues.push({ path: "custom_fields", message: "Answer each question once." });
  const ids = new Set(questions.map(({ id }) => id));
  if (sent.some(({ id }) => !ids.has(id))) {
    issues.push({ path: "custom_fields", message: "The form no longer has one of these questions." });
  }
  const answers = questions.map((question, index) => {
    const { value, message } = readAnswer(question, sent_by_id.get(question.id) ?? "");
    if (message !== null) issues.push({ path: `custom_fields[${index}]`, message });
    return { id: question.id, label: question.label, value };
  });
  return { answers, issues };
}

function readAnswer(question: CustomFieldRow, sent: Answer): { value: string; message: string | null } {
  const value = typeof sent === "string" ? sent.trim() : chosen(question, sent);
  if (value === "" && (typeof sent === "string" || sent.length === 0))
    return { value, message: question.required ? "Required." : null };
  return { value, message: messageFor(question, typeof sent === "string" ? value : sent) };
}

/** In the order of the options, each once. */
function chosen({ options }: CustomFieldRow, sent: readonly string[]): string {
  const wanted = new Set(sent);
  return options.filter((option) => wanted.delete(option)).join(SEPARATOR);
}

function messageFor({ type, options }: CustomFieldRow, sent: Answer): string | null {
  switch (type) {
    case "text":
    case "textarea":
      if (typeof sent !== "string") return "Must be a text.";
      return sent.length > MAX_ANSWER_LENGTHS[type]
        ? `Must have at most ${MAX_ANSWER_LENGTHS[type]} characters.`
        : null;
    case "select":
      return typeof sent === "string" && options.includes(sent) ? null : "Choose one of the options.";
    case "multi_select":
      return typeof sent !== "string" && sent.every((option) => options.includes(option))
        ? null
        : "Choose from the options.";
  }
}

/** A stored answer in the form in which it is sent; empty if the question does not take it any more. */
export function sentAnswer(question: CustomFieldRow, stored: string): Answer {
  switch (question.type) {
    case "text":
    case "textarea":
      return stored;
    case "select":
      return question.options.includes(stored) ? stored : "";
    case "multi_select":
      return chosenIn(question.options, stored);
  }
}

/**
 * The options of a stored list, in their order; none if it is no such list. Options can contain the
 * separator, so it tries each one, and reads the rest only once.
 */
function chosenIn(options: readonly string[], stored: string): string[] {
  const known = new Map<string, string[] | null>();
  const read = (first: number, rest: string): string[] | null => {
    if (rest === "") return [];
    if (first === options.length) return null;
    const key = `${first} ${rest.length}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const option = options[first] ?? "";
    const later =
      rest === option
        ? []
        : rest.startsWith(`${option}${SEPARATOR}`)
          ? read(first + 1, rest.slice(option.length + SEPARATOR.length))
          : null;
    const found = later === null ? read(first + 1, rest) : [option, ...later];
    known.set(key, found);
    return found;
  };
  return read(0, stored) ?? [];
}

/** A stored answer as it reads in the campaign's own language, and in the others. */
interface TranslatedAnswer extends CustomFieldAnswerRow {
  translations: ByLanguage<{ label: string; value: string }>;
}

/** Answers as their affiliate reads them. A question that is another one now stays as it was answered. */
export function translateAnswers(
  answers: readonly CustomFieldAnswerRow[],
  {
    custom_fields,
    translations,
  }: { custom_fields: readonly CustomFieldRow[]; translations: ByLanguage<Translation> },
): TranslatedAnswer[] {
  return answers.map(({ id, label, value }) => {
    const question = custom_fields.find((other) => other.id === id && other.label === label);
    const in_languages = portalLanguages.flatMap((language) => {
      const entries = translations[language]?.custom_fields;
      if (question === undefined || !entries?.some((entry) => entry.id === id)) return [];
      return [[language, answerIn(question, { value, entries })] as const];
    });
    return { id, label, value, translations: Object.fromEntries(in_languages) };
  });
}

function answerIn(
  question: CustomFieldRow,
  { value, entries }: { value: string; entries: QuestionTranslation[] },
): { label: string; value: string } {
  const { label, options, option_labels } = questionIn(question, { custom_fields: entries });
  const sent = sentAnswer(question, value);
  const chosen = question.type === "select" || question.type === "multi_select" ? [sent].flat() : [];
  const texts = chosen.filter(Boolean).map((option) => option_labels[options.indexOf(option)] ?? option);
  return { label, value: texts.length === 0 ? value : texts.join(SEPARATOR) };
}
