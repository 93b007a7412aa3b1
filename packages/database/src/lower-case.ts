/**
 * A text in small letters, as Postgres' `lower` writes it: letter by letter. JavaScript's own looks at the word
 * that a letter stands in (Σ) and writes some letters as two (İ), so the two would disagree about who is whom.
 */
export function lowerCase(text: string): string {
  return /^\p{ASCII}*$/u.test(text) ? text.toLowerCase() : [...text].map(lowerLetter).join("");
}

function lowerLetter(letter: string): string {
  return letter === "İ" ? "i" : letter.toLowerCase();
}
