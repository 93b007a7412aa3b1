import { isDeepStrictEqual } from "node:util";
import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import type { QuestionTranslation, Translations } from "@findersfee/contract/campaigns/translations";
import type { Issue } from "@findersfee/contract/errors";
import { portalLanguages } from "@findersfee/contract/portal/join-paths";
import type { CustomFieldRow } from "@findersfee/database/rows";
import { requireNoAddress } from "../shown-name.ts";
import { mapLanguages } from "./view.ts";

type Questions = Campaign["custom_fields"];
type Translated = Pick<Campaign, "translations" | "custom_fields">;

/**
 * Translations after a change of the questions. Translations that the change leaves as they were follow their
 * question: they go with it, and with its options. Translations that the change sets must fit the new
 * questions.
 */
export function followQuestions(changed: Translated, stored: Translated): Translations {
  const before = new Map(stored.custom_fields.map((question) => [question.id, question]));
  const after = new Map(changed.custom_fields.map((question) => [question.id, question]));
  return mapLanguages(changed.translations, (translation, language) => ({
    ...translation,
    custom_fields: translation.custom_fields.flatMap((entry) => {
      const of_before = stored.translations[language]?.custom_fields.find(({ id }) => id === entry.id);
      if (!isDeepStrictEqual(entry, of_before)) return [entry];
      const question = after.get(entry.id);
      return question === undefined
        ? []
        : [followOptions(entry, before.get(entry.id)?.options ?? [], question)];
    }),
  }));
}

/** An option is another one once its text is: its former translation may be wrong. */
function followOptions(
  { options, ...entry }: QuestionTranslation,
  before: readonly string[],
  { options: after }: Pick<CustomFieldRow, "options">,
): QuestionTranslation {
  if (options.length === 0) return { ...entry, options };
  const by_option = new Map(before.map((option, index) => [option, options[index] ?? null]));
  return { ...entry, options: after.map((option) => by_option.get(option) ?? null) };
}

/** Translations of questions that do not exist, or with other options. */
export function translationIssues({ translations, custom_fields }: Translated): Issue[] {
  const questions = new Map(custom_fields.map((question) => [question.id, question]));
  return portalLanguages.flatMap((language) => {
    const seen = new Set<string>();
    return (translations[language]?.custom_fields ?? []).flatMap(({ id, options }, index): Issue[] => {
      const path = `translations.${language}.custom_fields[${index}]`;
      const question = questions.get(id);
      if (question === undefined) return [{ path: `${path}.id`, message: "No question has this id." }];
      if (seen.has(id)) return [{ path: `${path}.id`, message: "Another entry has the same." }];
      seen.add(id);
      if (options.length === 0 || options.length === question.options.length) return [];
      return [
        { path: `${path}.options`, message: "Must have an entry for each option of the question, or none." },
      ];
    });
  });
}

/** In their stored form: without blank texts, and without languages and questions that have none; in the order of the questions. */
export function compactTranslations({ translations, custom_fields }: Translated): Translations {
  return mapLanguages(translations, (translation) => {
    const compact = {
      name: orNull(translation.name),
      welcome_message: orNull(translation.welcome_message),
      details_text: orNull(translation.details_text),
      dashboard_text: orNull(translation.dashboard_text),
      custom_fields: compactQuestions(translation.custom_fields, custom_fields),
    };
    const { custom_fields: entries, ...texts } = compact;
    return entries.length === 0 && Object.values(texts).every((text) => text === null) ? null : compact;
  });
}

function compactQuestions(
  entries: readonly QuestionTranslation[],
  questions: Questions,
): QuestionTranslation[] {
  return questions.flatMap(({ id }) => {
    const entry = entries.find((other) => other.id === id);
    if (entry === undefined) return [];
    const label = orNull(entry.label);
    const texts = entry.options.map(orNull);
    const options = texts.every((text) => text === null) ? [] : texts;
    return label === null && options.length === 0 ? [] : [{ id, label, options }];
  });
}

const orNull = (text: string | null) => (text === null || text.trim() === "" ? null : text);

/**
 * Applies `requireNoAddress` to new names in other languages, too: they are in the same mails.
 *
 * @throws DomainError `invalid_request`
 */
export function requireNamesWithoutAddress(sent: Translations | undefined, stored: Translations): void {
  for (const language of portalLanguages) {
    const name = sent?.[language]?.name ?? undefined;
    if (name !== stored[language]?.name) requireNoAddress(`translations.${language}.name`, name);
  }
}
