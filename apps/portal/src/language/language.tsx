import { ClockProvider } from "@findersfee/ui/components/clock";
import { BROWSER_CLOCK, dateLocale } from "@findersfee/ui/formats/clock";
import { whenOnline } from "@findersfee/ui/requests/use-online";
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
import type { SubjectTexts, Texts } from "../texts/texts.ts";

export const LANGUAGES = ["de", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Each language's name, in itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { de: "Deutsch", en: "English" };

const STORED = "findersfee-language";

/** Texts of some pages, in addition to the entrance's, which are always there. */
export type Subject = keyof SubjectTexts;

/** A language with its texts. */
export interface Spoken {
  language: Language;
  /** Those of the entrance and of `subjects`. A page is shown once it has the subjects that it needs. */
  texts: Texts;
  subjects: readonly Subject[];
}

/** Without an organization, all languages are offered. */
const ALL: readonly Language[] = ["en", "de"];

/** The language that was chosen in this browser, else the first of the browser's own that is offered, else the first offered. */
export function preferredLanguage(offered = ALL): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  const known = wanted.map((tag) => offered.find((language) => tag?.split("-")[0] === language));
  return known.find((language) => language !== undefined) ?? offered[0] ?? "en";
}

const TEXTS: Record<Language, Record<Subject | "entrance", () => Promise<Partial<Texts>>>> = {
  de: {
    entrance: async () => (await import("../texts/de-entrance.ts")).de_entrance,
    claims: () => import("../texts/de/claims.ts"),
    commissions: () => import("../texts/de/commissions.ts"),
    earnings: () => import("../texts/de/earnings.ts"),
    embed: () => import("../texts/de/embed.ts"),
    home: () => import("../texts/de/home.ts"),
    invitations: () => import("../texts/de/invitations.ts"),
    join: () => import("../texts/de/join.ts"),
    payouts: () => import("../texts/de/payouts.ts"),
    performance: () => import("../texts/de/performance.ts"),
    referrals: () => import("../texts/de/referrals.ts"),
    rules: () => import("../texts/de/rules.ts"),
    settings: () => import("../texts/de/settings.ts"),
    states: () => import("../texts/de/states.ts"),
    terms: () => import("../texts/de/terms.ts"),
  },
  en: {
    entrance: async () => (await import("../texts/en-entrance.ts")).en_entrance,
    claims: () => import("../texts/en/claims.ts"),
    commissions: () => import("../texts/en/commissions.ts"),
    earnings: () => import("../texts/en/earnings.ts"),
    embed: () => import("../texts/en/embed.ts"),
    home: () => import("../texts/en/home.ts"),
    invitations: () => import("../texts/en/invitations.ts"),
    join: () => import("../texts/en/join.ts"),
    payouts: () => import("../texts/en/payouts.ts"),
    performance: () => import("../texts/en/performance.ts"),
    referrals: () => import("../texts/en/referrals.ts"),
    rules: () => import("../texts/en/rules.ts"),
    settings: () => import("../texts/en/settings.ts"),
    states: () => import("../texts/en/states.ts"),
    terms: () => import("../texts/en/terms.ts"),
  },
};

const loaded = new Map<string, Partial<Texts>>();

/** Loads texts of one language. */
export async function speak(language: Language, subjects: readonly Subject[]): Promise<Spoken> {
  await whenOnline();
  const load = async (subject: Subject | "entrance") =>
    loaded.set(`${language} ${subject}`, await TEXTS[language][subject]());
  await Promise.all((["entrance", ...subjects] as const).map(load));
  return spokenOf(language, subjects);
}

/** Uses texts that were loaded before, so that the page changes with the click. */
function spokenOf(language: Language, subjects: readonly Subject[]): Spoken {
  const texts = ["entrance", ...subjects].map((subject) => loaded.get(`${language} ${subject}`));
  return { language, texts: Object.assign({}, ...texts) as Texts, subjects };
}

function hasTexts(language: Language, subjects: readonly Subject[]): boolean {
  return ["entrance", ...subjects].every((subject) => loaded.has(`${language} ${subject}`));
}

interface LanguageContextValue extends Spoken {
  /** Shows a language, and keeps it for the next visit. */
  setLanguage: (language: Language) => Promise<void>;
  /** Shows a language on this page. */
  showLanguage: (language: Language) => Promise<void>;
  /** The language that the reader chose since the page was opened. */
  chosen: Language | null;
  /** Loads more texts of the language. */
  loadSubjects: (subjects: readonly Subject[]) => Promise<void>;
  /** The reader's language, while an organization that does not offer it is shown. */
  displaced: RefObject<Language | null>;
}

const LanguageContext = createContext<LanguageContextValue | null>(null);

/** Sets the language of all pages, their components, amounts and dates. */
export function LanguageProvider({ first, children }: { first: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(first);
  const { language, texts } = spoken;
  const [chosen, setChosen] = useState<Language | null>(null);
  const wanted = useRef<Pick<Spoken, "language" | "subjects">>(first);
  const load = useCallback(async (change: Partial<Pick<Spoken, "language" | "subjects">>) => {
    const now = { ...wanted.current, ...change };
    wanted.current = now;
    if (!hasTexts(now.language, now.subjects)) await speak(now.language, now.subjects);
    // Another language, or more texts, may have been asked for since.
    if (wanted.current === now) setSpoken(spokenOf(now.language, now.subjects));
  }, []);
  const showLanguage = useCallback((next: Language) => load({ language: next }), [load]);
  const loadSubjects = useCallback(
    (more: readonly Subject[]) => load({ subjects: [...new Set([...wanted.current.subjects, ...more])] }),
    [load],
  );
  const displaced = useRef<Language | null>(null);
  const setLanguage = async (next: Language) => {
    displaced.current = null;
    await showLanguage(next);
    localStorage.setItem(STORED, next);
    setChosen(next);
  };
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext value={{ ...spoken, setLanguage, showLanguage, loadSubjects, chosen, displaced }}>
      <TextsProvider texts={texts.components}>
        <ClockProvider clock={{ ...BROWSER_CLOCK, locale: dateLocale(language) }}>{children}</ClockProvider>
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

/** Shows its content once its texts are loaded, and `fallback` until then. It throws if they cannot be loaded. */
export function WithTexts({
  subjects,
  fallback,
  children,
}: {
  subjects: readonly Subject[];
  fallback: ReactNode;
  children: ReactNode;
}) {
  const { subjects: loaded, loadSubjects } = useLanguage();
  const [, fail] = useState();
  const has_texts = subjects.every((subject) => loaded.includes(subject));
  useEffect(() => {
    if (!has_texts) loadSubjects(subjects).catch((error: unknown) => fail(() => rethrow(error)));
  }, [has_texts, loadSubjects, subjects]);
  return has_texts ? children : fallback;
}

/** In an update of a state, for the error boundary. */
function rethrow(error: unknown): never {
  throw error;
}
