/** Never receives mail (RFC 2606). */
const ERASED_DOMAIN = "@erased.invalid";

/** The email of an erased affiliate, unique in its campaign. */
export function erasedEmail(id: string): string {
  return id + ERASED_DOMAIN;
}

/**
 * The name of an affiliate or user; the email of those without one. The database's function `display_name` is the same
 * rule.
 */
export function nameOf({
  first_name,
  last_name,
  email,
}: {
  first_name: string;
  last_name: string;
  email: string;
}): string {
  const name = `${first_name} ${last_name}`.trim();
  if (name !== "") return name;
  return email.endsWith(ERASED_DOMAIN) ? "Erased affiliate" : email;
}
