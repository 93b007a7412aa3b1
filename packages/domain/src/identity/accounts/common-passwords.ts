/** Words that say nothing about a person: with digits around them they are still the first guesses. */
const SERVICE_NAMES = ["findersfee", "affiliate", "affiliates"];
/** Shorter names are parts of too many words. */
const MIN_NAME_LENGTH = 3;
const MIN_SEQUENCE_LENGTH = 6;

/** Letters that people write as digits and signs. */
const LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/**
 * The names that a password must not consist of, in addition to common passwords: of the person and of where
 * they work.
 */
export interface PasswordOwner {
  email: string;
  /** The names of organizations. */
  names: readonly string[];
}

let loading: Promise<ReadonlySet<string>> | null = null;

/** The common passwords, in lower case. Loaded with the first password that a person chooses: half a megabyte. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import("./password-list.ts").then(({ listPasswords }) => new Set(listPasswords()));
  return loading;
}

/**
 * Whether a password is one that strangers try first (NIST SP 800-63B, 3.1.1.2): a common one, a name of its person, or either
 * with digits and signs around it, repeated, or spelled with digits; or a sequence of digits.
 */
export async function isCommonPassword(password: string, owner: PasswordOwner): Promise<boolean> {
  const common = await commonPasswords();
  const text = password.normalize("NFKC").toLowerCase().trim();
  const isCommon = (part: string) => common.has(part) || common.has(asLetters(part));
  const part = repeatedPart(text);
  if (isCommon(part) || isSequence(part)) return true;
  const names = namesOf(owner);
  return [part, asLetters(withoutEnds(part))].some((spelled) => {
    const core = withoutEnds(withoutNames(spelled, names));
    // Nothing but names and signs; a password of signs alone has neither.
    if (core === "") return /\p{L}/u.test(spelled);
    return isCommon(core);
  });
}

/** `abc` of `abcabcabc`; else the text. */
function repeatedPart(text: string): string {
  const length = (text + text).indexOf(text, 1);
  return length === -1 ? text : text.slice(0, length);
}

function asLetters(text: string): string {
  return [...text].map((sign) => LETTERS[sign] ?? sign).join("");
}

/** Without the digits and signs before the first letter and after the last one. */
function withoutEnds(text: string): string {
  const signs = [...text];
  const first = signs.findIndex(isLetter);
  return first === -1 ? "" : signs.slice(first, signs.findLastIndex(isLetter) + 1).join("");
}

function isLetter(sign: string): boolean {
  return /\p{L}/u.test(sign);
}

/** `345678901234`, `987654321098`: each digit is one more, or one less, than the one before. */
function isSequence(text: string): boolean {
  if (text.length < MIN_SEQUENCE_LENGTH || !/^\d+$/.test(text)) return false;
  const steps = new Set<number>();
  for (let at = 1; at < text.length; at++) steps.add((Number(text[at]) - Number(text[at - 1]) + 10) % 10);
  return steps.size === 1;
}

function withoutNames(text: string, names: readonly string[]): string {
  let rest = text;
  for (const name of names) rest = rest.split(name).join(" ");
  return rest;
}

/** The longest first, so that a part of a name does not hide the whole. */
function namesOf({ email, names }: PasswordOwner): string[] {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const texts = [email.toLowerCase(), local, domain, ...names.map((name) => name.toLowerCase())];
  const parts = texts.flatMap((text) => {
    const words = text.split(/[^\p{L}\p{N}]+/u);
    return [text, words.join(""), ...words];
  });
  return [...new Set([...SERVICE_NAMES, ...parts])]
    .filter((name) => name.length >= MIN_NAME_LENGTH)
    .sort((one, other) => other.length - one.length);
}
