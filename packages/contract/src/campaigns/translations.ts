/* Texts of a campaign in further languages of the portal. Without zod, for pages. */
import type { PortalLanguage } from "../portal/join-paths.ts";

/** Texts by language. A language that is missing, or null, has no texts of its own. */
export type ByLanguage<Texts> = { [Language in PortalLanguage]?: Texts | null | undefined };

/** A question of the signup form in another language; null: not translated. */
export interface QuestionTranslation {
  id: string;
  label: string | null;
  /** One for each option of the question, in their order; empty: none is translated. */
  options: (string | null)[];
}

/** The texts of a campaign in another language; null: not translated. */
export interface Translation {
  name: string | null;
  welcome_message: string | null;
  details_text: string | null;
  dashboard_text: string | null;
  /** The questions with translations. */
  custom_fields: QuestionTranslation[];
}

export type Translations = Record<PortalLanguage, Translation | null>;

/** A campaign, or some of its texts, in a language: texts that are not translated stay as they are, as do its questions. */
export function inLanguage<Texts extends { translations: ByLanguage<Partial<Translation>> }>(
  texts: Texts,
  language: PortalLanguage,
): Texts {
  const { custom_fields: _questions, ...translation } = texts.translations[language] ?? {};
  const translated = Object.entries(translation).filter(([, text]) => text !== null && text !== undefined);
  return { ...texts, ...Object.fromEntries(translated) };
}

/**
 * A question in the language of a translation. Its options, which answers consist of, stay; `option_labels`
 * name them.
 */
export function questionIn<Question extends { id: string; label: string; options: readonly string[] }>(
  question: Question,
  translation: Pick<Translation, "custom_fields"> | null | undefined,
): Question & { option_labels: string[] } {
  const translated = translation?.custom_fields.find(({ id }) => id === question.id);
  return {
    ...question,
    label: translated?.label ?? question.label,
    option_labels: question.options.map((option, index) => translated?.options[index] ?? option),
  };
}
