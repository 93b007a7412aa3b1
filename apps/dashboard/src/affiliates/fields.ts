import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import {
  empty_profile,
  type Profile,
  type ProfileField,
  pickFields,
  profile_fields,
} from "@findersfee/contract/affiliates/fields";

interface FieldWords {
  label: string;
  hint?: string;
  control: "text" | "email" | "area" | "currency";
  /** The names of an import's columns that are this field, in lower case and without other signs than letters. */
  columns: readonly string[];
}

/** The words for an affiliate's profile: in forms, its page, its history and the import. */
export const FIELDS = {
  email: { label: "Email", control: "email", columns: ["email", "mail", "emailaddress"] },
  first_name: { label: "First name", control: "text", columns: ["firstname", "givenname", "vorname"] },
  last_name: {
    label: "Last name",
    control: "text",
    columns: ["lastname", "surname", "familyname", "nachname"],
  },
  payout_email: {
    label: "Payout email",
    hint: "Payouts go to this address instead of the email.",
    control: "email",
    columns: ["payoutemail", "paypalemail", "paypal", "paymentemail"],
  },
  payout_currency: {
    label: "Payout currency",
    hint: "Amounts in other currencies are converted at the reference rate of the payout run’s day.",
    control: "currency",
    columns: ["payoutcurrency"],
  },
  details: {
    label: "About them",
    control: "area",
    columns: ["details", "about", "aboutthem", "description"],
  },
  note: {
    label: "Note",
    hint: "Only your team sees it.",
    control: "area",
    columns: ["note", "notes", "comment", "comments"],
  },
  tags: {
    label: "Tags",
    hint: "Separated by commas. Commission rules can ask for them. Only your team sees them.",
    control: "text",
    columns: ["tags", "tag", "labels", "groups"],
  },
} satisfies Record<ProfileField | "tags", FieldWords>;

/** Without a payout currency. */
export const EACH_CURRENCY = "Each currency by itself";

/** The words of a field. */
export function wordsOf(name: ProfileField | "tags"): FieldWords {
  return FIELDS[name];
}

/** The texts in forms. Members do not write the affiliate's own words. */
type TextField = Exclude<ProfileField, "details">;

export type FormField = TextField | "tags";

const text_fields = profile_fields.filter((name): name is TextField => name !== "details");

/** The fields in forms. */
export const form_fields: readonly FormField[] = [...text_fields, "tags"];

/** Fields that have no place of their own on the affiliate's page. */
export const other_fields = text_fields.filter(
  (name) => !["email", "first_name", "last_name", "payout_email", "note"].includes(name),
);

/** A field as a form shows it. */
export function shownText(affiliate: Pick<Affiliate, FormField>, name: FormField): string {
  return name === "tags" ? affiliate.tags.join(", ") : (affiliate[name] ?? "");
}

/** The tags in a text, with commas between them. */
export function tagsIn(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
}

/** The written values of a form. */
export function writtenIn(form: FormData): Pick<Profile, TextField> & { tags: string[] } {
  const written = text_fields.map((name) => [
    name,
    String(form.get(name) ?? "").trim() || empty_profile[name],
  ]);
  return {
    ...pickFields(empty_profile, text_fields),
    ...Object.fromEntries(written),
    tags: tagsIn(String(form.get("tags") ?? "")),
  };
}
