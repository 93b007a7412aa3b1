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
  return `${first_name} ${last_name}`.trim() || email;
}
