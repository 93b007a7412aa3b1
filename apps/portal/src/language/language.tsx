import { ClockProvider } from "@findersfee/ui/components/values";
import { BROWSER_CLOCK } from "@findersfee/ui/formats/dates";
import { TextsProvider } from "@findersfee/ui/texts";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { Texts } from "../texts/texts.ts";

export const LANGUAGES = ["de", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language of dates. */
const DATE_LOCALES: Record<Language, string> = { de: "de-DE", en: "en-GB" };

const STORED = "findersfee-language";

/** The texts of a group of pages: those of the entrance are there always. */
export type Part = "joining" | "states" | "program";

/** A language with its texts. */
export interface Spoken {
  language: Language;
  /** Those of the entrance and of `parts`. A page is shown once it has the parts that it needs. */
  texts: Texts;
  parts: readonly Part[];
}

/** The language that was chosen in this browser, else the first of the browser's own that the portal speaks. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  const known = wanted.map((tag) => LANGUAGES.find((language) => tag?.split("-")[0] === language));
  return known.find((language) => language !== undefined) ?? "en";
}

const TEXTS: Record<Language, Record<Part | "entrance", () => Promise<Partial<Texts>>>> = {
  de: {
    entrance: async () => (await import("../texts/de-entrance.ts")).de_entrance,
    joining: async () => (await import("../texts/de-joining.ts")).de_joining,
    states: async () => (await import("../texts/de-states.ts")).de_states,
    program: async () => (await import("../texts/de-program.ts")).de_program,
  },
  en: {
    entrance: async () => (await import("../texts/en-entrance.ts")).en_entrance,
    joining: async () => (await import("../texts/en-joining.ts")).en_joining,
    states: async () => (await import("../texts/en-states.ts")).en_states,
    program: async () => (await import("../texts/en-program.ts")).en_program,
  },
};

const loaded = new Map<string, Partial<Texts>>();

/** Loads texts of one language. */
export async function speak(language: Language, parts: readonly Part[]): Promise<Spoken> {
  const load = async (part: Part | "entrance") =>
    loaded.set(`${language} ${part}`, await TEXTS[language][part]());
  await Promise.all((["entrance", ...parts] as const).map(load));
  return spokenOf(language, parts);
}

/** Of texts that were loaded before, so that the page changes with the click. */
function spokenOf(language: Language, parts: readonly Part[]): Spoken {
  const texts = ["entrance", ...parts].map((part) => loaded.get(`${language} ${part}`));
  return { language, texts: Object.assign({}, ...texts) as Texts, parts };
}

function hasTexts(language: Language, parts: readonly Part[]): boolean {
  return ["entrance", ...parts].every((part) => loaded.has(`${language} ${part}`));
}

interface LanguageContextValue extends Spoken {
  setLanguage: (language: Language) => Promise<void>;
  /** Shows a language on this page. */
  showLanguage: (language: Language) => Promise<void>;
  /** The language that the reader chose since the page was opened. */
  chosen: Language | null;
  /** Loads more texts of the language. */
  loadParts: (parts: readonly Part[]) => Promise<void>;
}

const LanguageContext = createContext<LanguageContextValue | null>(null);

/** Sets the language of all pages, their components, amounts and dates. */
export function LanguageProvider({ first, children }: { first: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(first);
  const { language, texts } = spoken;
  const [chosen, setChosen] = useState<Language | null>(null);
  const wanted = useRef<Pick<Spoken, "language" | "parts">>(first);
  const load = useCallback(async (change: Partial<Pick<Spoken, "language" | "parts">>) => {
    const now = { ...wanted.current, ...change };
    wanted.current = now;
    if (!hasTexts(now.language, now.parts)) await speak(now.language, now.parts);
    // Another language, or more texts, may have been asked for since.
    if (wanted.current === now) setSpoken(spokenOf(now.language, now.parts));
  }, []);
  const showLanguage = useCallback((next: Language) => load({ language: next }), [load]);
  const loadParts = useCallback(
    (more: readonly Part[]) => load({ parts: [...new Set([...wanted.current.parts, ...more])] }),
    [load],
  );
  const setLanguage = async (next: Language) => {
    await showLanguage(next);
    localStorage.setItem(STORED, next);
    setChosen(next);
  };
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext value={{ ...spoken, setLanguage, showLanguage, loadParts, chosen }}>
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

export function useTexts(): Texts {
  return useLanguage().texts;
}

/** Shows its content once its texts are loaded. */
export function WithTexts({ parts, children }: { parts: readonly Part[]; children: ReactNode }) {
  const { parts: loaded, loadParts } = useLanguage();
  const has_texts = parts.every((part) => loaded.includes(part));
  useEffect(() => {
    if (!has_texts) void loadParts(parts);
  }, [has_texts, loadParts, parts]);
  return has_texts ? children : null;
}
