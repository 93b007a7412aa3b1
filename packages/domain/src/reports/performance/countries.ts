const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** All codes of two letters: those that are no country have no name. */
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/**
 * The codes of countries with a name in which a word begins with a text, in English or one of the languages.
 */
export function countriesNamed(text: string, languages: readonly string[]): string[] {
  const searched = plain(text).trim();
  if (searched === "") return [];
  return CODES.filter((code) =>
    namesOf(code, languages).some((name) => ` ${plain(name)}`.includes(` ${searched}`)),
  );
}

function namesOf(code: string, languages: readonly string[]): string[] {
  return ["en", ...languages].flatMap((language) => namesIn(language).of(code) ?? []);
}

const known = new Map<string, Intl.DisplayNames>();
/** Languages come from requests. */
const MAX_KNOWN = 50;

function namesIn(language: string): Intl.DisplayNames {
  const names =
    known.get(language) ?? new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(language, names);
  return names;
}

/** Without accents, in lower case, and with a space in place of other signs: `cote d ivoire`. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase();
}
