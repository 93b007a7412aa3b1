/** A number as typed; NaN, which the service refuses with its field, for anything else. */
export function numberOf(typed: FormDataEntryValue | null): number {
  const text = String(typed ?? "").trim();
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

const NAME = /^minimum ([A-Z]{3})$/;

/** The currency of the minimum that a control with this name takes. */
export function minimumCurrency(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** The minimums to save by currency: the saved ones with those that the person has changed; null if none was. */
export function minimumsOf(
  form: FormData,
  { saved, isChanged }: { saved: Record<string, number>; isChanged: (name: string) => boolean },
): Record<string, number> | null {
  const changed = [...form].filter(([name]) => minimumCurrency(name) !== undefined && isChanged(name));
  if (changed.length === 0) return null;
  const minimums = { ...saved };
  for (const [name, value] of changed) {
    const currency = minimumCurrency(name) ?? "";
    // An empty field is no minimum.
    if (value === "") delete minimums[currency];
    else minimums[currency] = numberOf(value);
  }
  return minimums;
}
