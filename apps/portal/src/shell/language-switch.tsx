import { LANGUAGE_NAMES, LANGUAGES, type Language, useLanguage } from "../language/language.tsx";

/** Each language that is offered, in its two letters; nothing, if there is no choice. */
export function LanguageSwitch({ offered = LANGUAGES }: { offered?: readonly Language[] | undefined }) {
  const { language, setLanguage, texts } = useLanguage();
  if (offered.length < 2) return null;
  return (
    <fieldset aria-label={texts.frame.language} className="flex items-center">
      {LANGUAGES.filter((one) => offered.includes(one)).map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          aria-pressed={one === language}
          title={LANGUAGE_NAMES[one]}
          onClick={() => setLanguage(one)}
          className="h-11 min-w-11 rounded-control text-table text-muted hover:text-ink aria-pressed:font-semibold aria-pressed:text-ink"
        >
          {one.toUpperCase()}
          <span className="sr-only"> {LANGUAGE_NAMES[one]}</span>
        </button>
      ))}
    </fieldset>
  );
}
