/** A lead in plain words; conversions have the name that the organization gave them. */
export function leadName(kind: string, { leads }: { leads: Readonly<Record<string, string>> }): string {
  return leads[kind] ?? kind.replaceAll("_", " ");
}
