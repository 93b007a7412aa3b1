/** The usual spellings of letters that Unicode does not decompose into a basic letter and marks. */
const SPELLINGS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŋ: "ng",
  ŧ: "t",
  ƒ: "f",
  ƙ: "k",
  ɓ: "b",
  ɗ: "d",
  ə: "e",
  ɛ: "e",
  ɔ: "o",
  ƴ: "y",
};

/** The words of a text in lower case, in basic Latin letters and digits: `Łukasz Żółw` has `lukasz` and `zolw`. */
export function latinWords(text: string): string[] {
  const letters = text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    // Lower case of İ has a mark.
    .replace(/\p{Mark}/gu, "")
    .replace(/\P{ASCII}/gu, (letter) => SPELLINGS[letter] ?? letter);
  return letters.match(/[a-z0-9]+/g) ?? [];
}
