import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { translationIn } from "./shown-texts.ts";
import type { TranslationDraft } from "./translation-draft.ts";
import { useEditor } from "./use-editor.ts";

/** Sets texts of a translation, on top of those that it has. */
export function useTranslation(language: PortalLanguage): (part: Partial<TranslationDraft>) => void {
  const { draft, set } = useEditor();
  return (part) => {
    const translation = { ...translationIn(draft, language), ...part };
    set({ translations: { ...draft.translations, [language]: translation } });
  };
}
