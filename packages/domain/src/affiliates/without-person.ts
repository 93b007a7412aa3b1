const ERASED = "[erased]";
/** Longer numbers can belong to an account, a telephone or an order. */
const LONGEST_NUMBER = 4;
/** Shorter parts can belong to ordinary words. */
const SHORTEST_PART = 2;

/** A person that a text may name. */
interface Person {
  first_name: string;
  last_name: string;
  email: string;
  payout_email: string | null;
  codes: readonly { code: string }[];
}

/**
 * A text about a person without words that contain a part of their names, addresses or codes, and without any addresses, links and
 * long numbers. The rest of the text stays.
 */
export function withoutPerson(text: string, person: Person): string {
  const known = new Set(
    [
      person.first_name,
      person.last_name,
      person.email.split("@")[0] ?? "",
      person.payout_email?.split("@")[0] ?? "",
      ...person.codes.map(({ code }) => code),
    ].flatMap(partsOf),
  );
  const words = text.split(" ").map((word) => (isPersonal(word, known) ? ERASED : word));
  return words.filter((word, index) => word !== ERASED || words[index - 1] !== ERASED).join(" ");
}

function isPersonal(word: string, known: ReadonlySet<string>): boolean {
  const digits = [...word].filter((letter) => letter >= "0" && letter <= "9").length;
  if (word.includes("@") || word.includes("/") || digits > LONGEST_NUMBER) return true;
  // A dot between letters: a host name.
  if (/[a-z0-9]\.[a-z]/i.test(word)) return true;
  return partsOf(word).some((part) => known.has(part));
}

function partsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= SHORTEST_PART);
}
