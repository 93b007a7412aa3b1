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
  control: "text" | "email" | "area";
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
} satisfies Record<ProfileField, FieldWords>;

/** The words of a field. */
export function wordsOf(name: ProfileField): FieldWords {
  return FIELDS[name];
}

/** The fields in forms. Members do not write the affiliate's own words. */
export type FormField = Exclude<ProfileField, "details">;

export const form_fields = profile_fields.filter((name): name is FormField => name !== "details");

/** Fields that have no place of their own on the affiliate's page. */
export const other_fields = form_fields.filter(
  (name) => !["email", "first_name", "last_name", "payout_email", "note"].includes(name),
);

/** The written texts of a form. */
export function writtenIn(form: FormData): Pick<Profile, FormField> {
  const written = form_fields.map((name) => [
    name,
    String(form.get(name) ?? "").trim() || empty_profile[name],
  ]);
  return { ...pickFields(empty_profile, form_fields), ...Object.fromEntries(written) };
}
