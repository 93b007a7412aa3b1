const EMAIL = "Must be an email address";
const MAX_LABEL_LENGTH = 63;

/** The fault of an email address without white space around it; null: none. */
export function emailIssue(value: string): string | null {
  const at = value.lastIndexOf("@");
  if (at === -1) return `${EMAIL}: it has no @.`;
  if (at === 0) return `${EMAIL}: nothing is before the @.`;
  const [wrong] = /[\p{Z}\p{C}@<>()[\]\\,;:"]/u.exec(value.slice(0, at)) ?? [];
  if (wrong !== undefined) {
    const name = /[\p{Z}\p{C}]/u.test(wrong) ? "a blank or an invisible character" : wrong;
    return `${EMAIL}: ${name} is not allowed before the @.`;
  }
  return isDomain(value.slice(at + 1)) ? null : `${EMAIL}: after the @ must be a domain, as in example.com.`;
}

function isDomain(text: string): boolean {
  const labels = text.split(".");
  const is_valid = labels.every(
    (label) => label.length <= MAX_LABEL_LENGTH && /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u.test(label),
  );
  return is_valid && labels.length > 1 && /\p{L}/u.test(labels.at(-1) ?? "");
}
