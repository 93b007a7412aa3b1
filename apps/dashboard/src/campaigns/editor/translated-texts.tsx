import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { texts as portal_texts } from "./portal-texts.ts";
import { translationIn } from "./shown-texts.ts";
import { TranslatedField } from "./translated-field.tsx";
import { texts } from "./translation-texts.ts";
import { useEditor } from "./use-editor.ts";
import { useTranslation } from "./use-translation.ts";

/** The texts for affiliates outside of the form, in another language. */
export function TranslatedTexts({ language }: { language: PortalLanguage }) {
  const { draft, issueOf } = useEditor();
  const setTranslation = useTranslation(language);
  const translation = translationIn(draft, language);
  const fieldOf = (name: "name" | "welcome_message" | "dashboard_text") => ({
    language,
    own: draft[name],
    value: translation[name],
    onChange: (value: string) => setTranslation({ [name]: value }),
    error: issueOf(`translations.${language}.${name}`),
  });
  return (
    <>
      <TranslatedField label={texts.name} {...fieldOf("name")} />
      <TranslatedField label={portal_texts.welcome} is_long {...fieldOf("welcome_message")} />
      <TranslatedField label={portal_texts.dashboard_text} is_long {...fieldOf("dashboard_text")} />
    </>
  );
}
