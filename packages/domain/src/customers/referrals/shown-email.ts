/** From this many characters before the `@` on, the last one is shown. */
const MIN_LENGTH = 3;

/**
 * A customer's email as affiliates may see it. If the campaign hides emails, `k…m@example.com`: enough to recognize a
 * referral, too little to write to it.
 */
export function shownEmail(email: string, { hide_emails }: { hide_emails: boolean }): string {
  return hide_emails ? maskedEmail(email) : email;
}

/** An address that its owner recognizes, and nobody else can write to. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const end = at < 0 ? email.length : at;
  const name = [...email.slice(0, end)];
  const last = name.length < MIN_LENGTH ? "" : name.at(-1);
  return `${name[0] ?? ""}…${last}${email.slice(end)}`;
}
