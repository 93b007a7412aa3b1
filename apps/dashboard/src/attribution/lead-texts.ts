/** The name of a lead, as lists show it: conversions have their own. */
export function leadName(kind: string): string {
  return LEADS[kind] ?? kind;
}

const LEADS: Record<string, string> = { signup: "Sign-up", trial: "Trial" };
