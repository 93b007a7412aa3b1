import { z } from "zod";
import { text } from "../fields.ts";
import type { Translation, Translations } from "./translations.ts";

const describe = {
  id: "The question: the `id` of one of the `custom_fields`.",
  label: "The question in the language; null: not translated.",
  options:
    "The choices in the language, one for each of the question's `options`, in their order; null: not translated. Empty: none is translated.",
  name: "The campaign's name in the language; null: not translated.",
  welcome_message: "The welcome message in the language; null: not translated.",
  details_text: "The text above the field for details in the language; null: not translated.",
  dashboard_text: "The text on the affiliates' dashboard in the language; null: not translated.",
  custom_fields: "The questions with translations.",
  en: "The texts in English; null: none is translated.",
  de: "The texts in German; null: none is translated.",
};

/** The description of all translations. */
export const describeTranslations =
  "Texts for affiliates in further languages of the portal, by language. A text that is not translated is shown as the campaign's own field has it.";

const EXAMPLE = { label: "Für wen schreiben Sie?", name: "Partnerprogramm", welcome: "Willkommen!" };

const translatedText = z.string().nullable();

/** A campaign's texts in another language, in responses. */
const translationSchema = z
  .object({
    name: translatedText.meta({ description: describe.name, example: EXAMPLE.name }),
    welcome_message: translatedText.meta({ description: describe.welcome_message, example: EXAMPLE.welcome }),
    details_text: translatedText.meta({ description: describe.details_text, example: null }),
    dashboard_text: translatedText.meta({ description: describe.dashboard_text, example: null }),
    custom_fields: z
      .array(
        z
          .object({
            id: z.string().meta({ description: describe.id, example: "audience" }),
            label: translatedText.meta({ description: describe.label, example: EXAMPLE.label }),
            options: z.array(translatedText).meta({ description: describe.options, example: [] }),
          })
          .meta({ id: "CampaignCustomFieldTranslation" }),
      )
      .meta({ description: describe.custom_fields }),
  })
  .meta({ id: "CampaignTranslation" }) satisfies z.ZodType<Translation>;

/** The same for a part of the texts, for the portal. */
export function translationsOf<Name extends keyof Translation>(names: Record<Name, true>) {
  const part = z.object(
    Object.fromEntries(
      Object.keys(names).map((name) => [name, translationSchema.shape[name as Name]]),
    ) as unknown as Pick<typeof translationSchema.shape, Name>,
  );
  return z.object({ en: part.nullish(), de: part.nullish() });
}

export const translationsSchema = z
  .object({
    en: translationSchema.nullable().meta({ description: describe.en, example: null }),
    de: translationSchema.nullable().meta({ description: describe.de }),
  })
  .meta({ id: "CampaignTranslations" }) satisfies z.ZodType<Translations>;

const translatedTextInput = (maximum: number) => text(maximum).nullable();

const translationInput = z
  .strictObject({
    name: translatedTextInput(200).default(null).meta({ description: describe.name, example: EXAMPLE.name }),
    welcome_message: translatedTextInput(10_000)
      .default(null)
      .meta({ description: describe.welcome_message, example: EXAMPLE.welcome }),
    details_text: translatedTextInput(10_000)
      .default(null)
      .meta({ description: describe.details_text, example: null }),
    dashboard_text: translatedTextInput(10_000)
      .default(null)
      .meta({ description: describe.dashboard_text, example: null }),
    custom_fields: z
      .array(
        z
          .strictObject({
            id: text(64).meta({ description: describe.id, example: "audience" }),
            label: translatedTextInput(500)
              .default(null)
              .meta({ description: describe.label, example: EXAMPLE.label }),
            options: z
              .array(translatedTextInput(200))
              .max(100)
              .default([])
              .meta({ description: describe.options, example: [] }),
          })
          .meta({ id: "CampaignCustomFieldTranslationInput" }),
      )
      .max(50)
      .default([])
      .meta({ description: describe.custom_fields, example: [] }),
  })
  .meta({ id: "CampaignTranslationInput" });

/** Replaces all translations. */
export const translationsInput = z
  .strictObject({
    en: translationInput.nullable().default(null).meta({ description: describe.en, example: null }),
    de: translationInput.nullable().default(null).meta({ description: describe.de, example: null }),
  })
  .meta({ id: "CampaignTranslationsInput" });
