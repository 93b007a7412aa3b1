/** A number as typed; NaN, which the service refuses with its field, for anything else. */
export function numberOf(typed: FormDataEntryValue | null): number {
  const text = String(typed ?? "").trim();
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

const NAME = /^minimum ([A-Z]{3})$/;

/** The minimums of a form by currency; empty fields are none. */
export function minimumsOf(form: FormData): Record<string, number> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const currency = NAME.exec(name)?.[1];
      return currency === undefined || value === "" ? [] : [[currency, numberOf(value)]];
    }),
  );
}
