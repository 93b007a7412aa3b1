import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { type CampaignDraft, choicesOf, type FieldDraft } from "./draft.ts";
import { EMPTY_QUESTION, EMPTY_TRANSLATION, type TranslationDraft } from "./translation-draft.ts";

/** The translation that a page edits; an empty one, if there is none yet. */
export function translationIn({ translations }: CampaignDraft, language: PortalLanguage): TranslationDraft {
  return translations?.[language] ?? EMPTY_TRANSLATION;
}

/** A question as the form shows it. */
export interface ShownQuestion extends Pick<FieldDraft, "key" | "type" | "required"> {
  label: string;
  choices: string[];
}

export interface ShownTexts {
  name: string;
  welcome_message: string;
  dashboard_text: string;
  details_text: string;
  questions: ShownQuestion[];
}

/**
 * The texts that affiliates read in a language. Texts without a translation are as the campaign has them.
 * Null: the campaign's own texts.
 */
export function shownTexts(draft: CampaignDraft, language: PortalLanguage | null): ShownTexts {
  const translation = language === null ? EMPTY_TRANSLATION : translationIn(draft, language);
  const text = (name: "name" | "welcome_message" | "dashboard_text" | "details_text") =>
    translation[name].trim() === "" ? draft[name] : translation[name];
  return {
    name: text("name"),
    welcome_message: text("welcome_message"),
    dashboard_text: text("dashboard_text"),
    details_text: text("details_text"),
    questions: draft.fields.map((field) => {
      const question = translation.questions[field.key] ?? EMPTY_QUESTION;
      const choices = [...new Set(choicesOf(field))].map(
        (choice) => question.options[choice]?.trim() || choice,
      );
      return {
        key: field.key,
        type: field.type,
        required: field.required,
        label: question.label.trim() || field.label.trim(),
        choices,
      };
    }),
  };
}

/** Pairs of a text and its translation. */
type Pairs = [own: string, translated: string][];

/** How many of the texts that affiliates read elsewhere than in the form are not translated. */
export function missingTexts(draft: CampaignDraft, language: PortalLanguage): number {
  const { name, welcome_message, dashboard_text } = translationIn(draft, language);
  return missing([
    [draft.name, name],
    [draft.welcome_message, welcome_message],
    [draft.dashboard_text, dashboard_text],
  ]);
}

/** How many texts of the form are not translated. */
export function missingOfForm(draft: CampaignDraft, language: PortalLanguage): number {
  const { questions, details_text } = translationIn(draft, language);
  const of_questions = draft.fields.flatMap((field): Pairs => {
    const question = questions[field.key] ?? EMPTY_QUESTION;
    const choices = choicesOf(field).map((choice): Pairs[number] => [choice, question.options[choice] ?? ""]);
    return [[field.label, question.label], ...choices];
  });
  return missing([
    ...of_questions,
    ...(draft.collect_details ? [[draft.details_text, details_text] as Pairs[number]] : []),
  ]);
}

function missing(pairs: Pairs): number {
  return pairs.filter(([own, translated]) => own.trim() !== "" && translated.trim() === "").length;
}
