import { FIELDS as PROFILE } from "../fields.ts";

interface ImportField {
  label: string;
  columns: readonly string[];
}

/** The fields that a column can have, by the service's names. */
const IMPORTED: Readonly<Record<string, ImportField>> = {
  ...PROFILE,
  ref_code: {
    label: "Link code",
    columns: ["refcode", "linkcode", "code", "token", "referralcode", "link", "via"],
  },
  promo_code: { label: "Promo code", columns: ["promocode", "coupon", "couponcode", "discountcode"] },
};

export const FIELDS = Object.keys(IMPORTED);

/** The label of a field; the name of one that is not known. */
export function labelOf(field: string): string {
  return IMPORTED[field]?.label ?? field;
}

/** Guesses the fields of columns from their names: null for columns to leave out. Each field at most once. */
export function guessFields(names: readonly string[]): (string | null)[] {
  const used = new Set<string>();
  return names.map((name) => {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
    const field = FIELDS.find((one) => !used.has(one) && IMPORTED[one]?.columns.includes(plain));
    if (field !== undefined) used.add(field);
    return field ?? null;
  });
}
