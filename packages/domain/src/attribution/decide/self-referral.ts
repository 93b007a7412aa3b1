/** Providers that ignore dots in a mailbox's name, with their canonical domain. */
const DOTLESS_DOMAINS = new Map([
  ["gmail.com", "gmail.com"],
  ["googlemail.com", "gmail.com"],
]);

/**
 * Whether two email addresses reach the same mailbox, ignoring case, a `+tag`, and dots in Gmail addresses. Detects
 * self-referrals.
 */
export function isSameAddress(a: string, b: string): boolean {
  return mailboxOf(a) === mailboxOf(b);
}

function mailboxOf(address: string): string {
  const lower = address.trim().toLowerCase();
  const at = lower.lastIndexOf("@");
  if (at === -1) return lower;
  const domain = lower.slice(at + 1);
  const name = withoutTag(lower.slice(0, at));
  const dotless = DOTLESS_DOMAINS.get(domain);
  return dotless === undefined ? `${name}@${domain}` : `${name.replaceAll(".", "")}@${dotless}`;
}

/** A name that consists only of a tag stays as it is. */
function withoutTag(name: string): string {
  const plus = name.indexOf("+");
  return plus > 0 ? name.slice(0, plus) : name;
}
