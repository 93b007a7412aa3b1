/**
 * Converts a text to lower case letter by letter, like Postgres' `lower`. `toLowerCase` depends on neighboring letters
 * (Σ) and converts some letters to two (İ), so JavaScript and Postgres would compare some emails differently.
 */
export function lowerCase(text: string): string {
  return /^\p{ASCII}*$/u.test(text) ? text.toLowerCase() : [...text].map(lowerLetter).join("");
}

function lowerLetter(letter: string): string {
  return letter === "İ" ? "i" : letter.toLowerCase();
}
