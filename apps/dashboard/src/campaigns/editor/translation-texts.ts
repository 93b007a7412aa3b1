import { formatCount } from "@findersfee/ui/formats/counts";

/** The texts of a campaign in further languages. */
export const texts = {
  language: "Text language",
  own: "Default",
  own_in: (language: string) => `${language} (default)`,
  complete: "Every text is translated.",
  missing: (count: number) =>
    count === 1
      ? "1 text is not translated. Affiliates see the default."
      : `${formatCount(count)} texts are not translated. Affiliates see the default.`,
  not_translated: "Not translated: affiliates see the default.",
  without_default: "The default has no text.",
  name: "Name",
  question: (number: number) => `Question ${number}`,
  unnamed: "The question",
  choices: "Choices",
  no_questions: "The form has no questions to translate.",
};
