/** Providers that deliver a mailbox's mail however its name is dotted, and the name that they all mean. */
const DOTLESS_DOMAINS = new Map([
  ["gmail.com", "gmail.com"],
  ["googlemail.com", "gmail.com"],
]);

/**
 * Whether two email addresses reach the same mailbox, as far as addresses tell: whatever the case, with or
 * without a `+tag`, and for Gmail with or without dots. Whoever buys through their own link refers nobody.
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

/** A name that is nothing but a tag has nothing else to be known by. */
function withoutTag(name: string): string {
  const plus = name.indexOf("+");
  return plus > 0 ? name.slice(0, plus) : name;
}
