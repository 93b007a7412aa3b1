import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import type { ByLanguage, Translation, Translations } from "@findersfee/contract/campaigns/translations";
import { portalLanguages } from "@findersfee/contract/portal/join-paths";

/** A question in another language, as it is typed. Empty: not translated. */
export interface QuestionDraft {
  label: string;
  /** The translations by the text of the choice. */
  options: Record<string, string>;
}

/** A campaign's texts in another language, as they are typed. Empty: not translated. */
export interface TranslationDraft {
  name: string;
  welcome_message: string;
  details_text: string;
  dashboard_text: string;
  /** The questions by their key on the page. */
  questions: Record<string, QuestionDraft>;
}

export const EMPTY_TRANSLATION: TranslationDraft = {
  name: "",
  welcome_message: "",
  details_text: "",
  dashboard_text: "",
  questions: {},
};

export const EMPTY_QUESTION: QuestionDraft = { label: "", options: {} };

export function translationDrafts({
  translations,
  custom_fields,
}: Pick<Campaign, "translations" | "custom_fields">): ByLanguage<TranslationDraft> {
  const drafts = portalLanguages.flatMap((language) => {
    // A draft that a tab has from before there were translations has none.
    const translation = translations?.[language] ?? null;
    return translation === null ? [] : [[language, draftOf(translation, custom_fields)] as const];
  });
  return Object.fromEntries(drafts);
}

function draftOf(translation: Translation, questions: Campaign["custom_fields"]): TranslationDraft {
  return {
    name: translation.name ?? "",
    welcome_message: translation.welcome_message ?? "",
    details_text: translation.details_text ?? "",
    dashboard_text: translation.dashboard_text ?? "",
    questions: Object.fromEntries(
      translation.custom_fields.map(({ id, label, options }) => {
        const question = questions.find((field) => field.id === id);
        const texts = options.map((text, index) => [question?.options[index] ?? "", text ?? ""]);
        return [id, { label: label ?? "", options: Object.fromEntries(texts) }];
      }),
    ),
  };
}

/** A question as the service takes it, with its key on the page. */
interface KeyedQuestion {
  key: string;
  id: string;
  options: readonly string[];
}

/** Translations as the service takes them, and as it answers with them: without questions and languages that have none. */
export function translationsOf(
  drafts: ByLanguage<TranslationDraft>,
  questions: readonly KeyedQuestion[],
): Translations {
  const translations = portalLanguages.map((language) => {
    const draft = drafts[language] ?? null;
    return [language, draft === null ? null : translationOf(draft, questions)] as const;
  });
  return Object.fromEntries(translations) as Translations;
}

/** Null: nothing is translated. */
function translationOf(draft: TranslationDraft, questions: readonly KeyedQuestion[]): Translation | null {
  const texts = {
    name: orNull(draft.name.trim()),
    welcome_message: orNull(draft.welcome_message),
    details_text: orNull(draft.details_text),
    dashboard_text: orNull(draft.dashboard_text),
  };
  const custom_fields = questions.flatMap(({ key, id, options }) => {
    const question = draft.questions[key] ?? EMPTY_QUESTION;
    const label = orNull(question.label.trim());
    const labels = options.map((option) => orNull((question.options[option] ?? "").trim()));
    const has_labels = labels.some((text) => text !== null);
    return label === null && !has_labels ? [] : [{ id, label, options: has_labels ? labels : [] }];
  });
  const is_empty = custom_fields.length === 0 && Object.values(texts).every((text) => text === null);
  return is_empty ? null : { ...texts, custom_fields };
}

const orNull = (text: string) => (text.trim() === "" ? null : text);
