import { texts } from "./texts.ts";

export const FIELDS = Object.keys(texts.fields);

const NAMES: Record<string, readonly string[]> = {
  email: ["email", "e-mail", "mail", "emailaddress"],
  first_name: ["firstname", "givenname", "vorname"],
  last_name: ["lastname", "surname", "familyname", "nachname"],
  payout_email: ["payoutemail", "paypalemail", "paypal", "paymentemail"],
  ref_code: ["refcode", "linkcode", "code", "token", "referralcode", "link", "via"],
  promo_code: ["promocode", "coupon", "couponcode", "discountcode"],
  details: ["details", "about", "aboutthem", "description"],
  note: ["note", "notes", "comment", "comments"],
};

/** Guesses what columns are from their names: null for those to leave out. Each field at most once. */
export function guessFields(names: readonly string[]): (string | null)[] {
  const used = new Set<string>();
  return names.map((name) => {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
    const field = FIELDS.find((one) => !used.has(one) && NAMES[one]?.includes(plain));
    if (field !== undefined) used.add(field);
    return field ?? null;
  });
}
