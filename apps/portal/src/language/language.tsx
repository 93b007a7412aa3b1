import { ClockProvider } from "@findersfee/ui/components/values";
import { BROWSER_CLOCK } from "@findersfee/ui/formats/dates";
import { TextsProvider } from "@findersfee/ui/texts";
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import type { Texts } from "../texts/texts.ts";

export const LANGUAGES = ["de", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language of dates. */
const DATE_LOCALES: Record<Language, string> = { de: "de-DE", en: "en-GB" };

const STORED = "findersfee-language";

/** A language with its texts. */
export interface Spoken {
  language: Language;
  texts: Texts;
}

/** Without an organization, all languages are offered. */
const ALL: readonly Language[] = ["en", "de"];

/** The language that was chosen in this browser, else the first of the browser's own that is offered, else the first offered. */
export function preferredLanguage(offered = ALL): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  const known = wanted.map((tag) => offered.find((language) => tag?.split("-")[0] === language));
  return known.find((language) => language !== undefined) ?? offered[0] ?? "en";
}

/** Loads the texts of one language, and says it in the document. */
export async function speak(language: Language): Promise<Spoken> {
  const texts: Texts =
    language === "de" ? (await import("../texts/de.ts")).de : (await import("../texts/en.ts")).en;
  document.documentElement.lang = language;
  return { language, texts };
}

interface LanguageContextValue extends Spoken {
  /** Shows a language, and keeps it for the next visit. */
  setLanguage: (language: Language) => Promise<void>;
  /** Shows a language on this page. */
  showLanguage: (language: Language) => Promise<void>;
  /** The language that the reader chose since the page was opened. */
  chosen: Language | null;
  /** The reader's language, while an organization that does not offer it is shown. */
  displaced: RefObject<Language | null>;
}

const LanguageContext = createContext<LanguageContextValue | null>(null);

/** Sets the language of all pages, their components, amounts and dates. */
export function LanguageProvider({ first, children }: { first: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(first);
  const { language, texts } = spoken;
  const [chosen, setChosen] = useState<Language | null>(null);
  const displaced = useRef<Language | null>(null);
  const showLanguage = useCallback(async (next: Language) => setSpoken(await speak(next)), []);
  const setLanguage = async (next: Language) => {
    displaced.current = null;
    await showLanguage(next);
    localStorage.setItem(STORED, next);
    setChosen(next);
  };
  return (
    <LanguageContext value={{ language, texts, setLanguage, showLanguage, chosen, displaced }}>
      <TextsProvider texts={texts.components}>
        <ClockProvider clock={{ ...BROWSER_CLOCK, locale: DATE_LOCALES[language] }}>{children}</ClockProvider>
      </TextsProvider>
    </LanguageContext>
  );
}

export function useLanguage(): LanguageContextValue {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error("texts need a LanguageProvider above them");
  return language;
}

/** Shows a language that the organization offers, and the reader's again as soon as another one offers it. Undefined: all are. */
export function useOfferedLanguages(offered: readonly Language[] | undefined): void {
  const { language, showLanguage, displaced } = useLanguage();
  useEffect(() => {
    if (offered === undefined) return;
    const { current: own } = displaced;
    if (!offered.includes(language)) {
      displaced.current ??= language;
      void showLanguage(preferredLanguage(offered));
    } else if (own !== null && offered.includes(own)) {
      displaced.current = null;
      if (own !== language) void showLanguage(own);
    }
  }, [offered, language, showLanguage, displaced]);
}

export function useTexts(): Texts {
  return useLanguage().texts;
}
