import type { Affiliate } from "./affiliates.ts";

/** A text about an affiliate that requests, forms and imports write. */
interface Field {
  /** Its value until somebody gives one, and after an erasure. */
  empty: "" | null;
  /** Whether it can identify a person: an erasure empties it, and erases it in the audit log. */
  personal: boolean;
  /** Whether only the organization sees it: events and the portal do not contain it. */
  internal: boolean;
  /** Whether the export has a column of it. */
  exported: boolean;
  /** Whether a search finds affiliates by its beginning, with an index of `lower(…)`. */
  searched: boolean;
}

/**
 * The profile: each field is a column of `affiliates`. Rows, writes, responses, the audit log, erasure, import, export and
 * search follow from this table; the schemas are in `affiliates.ts`, and the dashboard's words in its `affiliates/fields.ts`.
 */
const profile = {
  email: { empty: "", personal: true, internal: false, exported: true, searched: true },
  // Searches find it at the beginning of the full name.
  first_name: { empty: "", personal: true, internal: false, exported: true, searched: false },
  last_name: { empty: "", personal: true, internal: false, exported: true, searched: true },
  payout_email: { empty: null, personal: true, internal: false, exported: true, searched: false },
  payout_currency: { empty: null, personal: false, internal: false, exported: true, searched: false },
  details: { empty: null, personal: true, internal: false, exported: false, searched: false },
  note: { empty: null, personal: true, internal: true, exported: false, searched: false },
} as const satisfies Record<string, Field>;

export type ProfileField = keyof typeof profile;

type Flag = "personal" | "internal" | "exported" | "searched";

/** The fields with a value of a flag. */
type FieldsWith<Name extends Flag, Value extends boolean> = {
  [Key in ProfileField]: (typeof profile)[Key][Name] extends Value ? Key : never;
}[ProfileField];

function fieldsWith<Name extends Flag, Value extends boolean>(flag: Name, value: Value) {
  return profile_fields.filter((name): name is FieldsWith<Name, Value> => profile[name][flag] === value);
}

export const profile_fields = Object.keys(profile) as ProfileField[];
export const personal_fields = fieldsWith("personal", true);
export const exported_fields = fieldsWith("exported", true);
export const searched_fields = fieldsWith("searched", true);
/** Those in events and in the portal. */
export const public_fields = fieldsWith("internal", false);

export type InternalField = FieldsWith<"internal", true>;
export type ExportedField = FieldsWith<"exported", true>;
export type Profile = Pick<Affiliate, ProfileField>;

/** A profile without any data. */
export const empty_profile = Object.fromEntries(
  profile_fields.map((name) => [name, profile[name].empty]),
) as Profile;

/** Some fields of a profile. */
export function pickFields<Name extends ProfileField>(
  fields: Pick<Profile, Name>,
  names: readonly Name[],
): Pick<Profile, Name> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Profile, Name>;
}

/** A profile with other values of the given fields. Omitted and undefined fields stay as they are. */
export function changeProfile(
  before: Profile,
  given: { [Name in ProfileField]?: Profile[Name] | undefined },
): Profile {
  const names = profile_fields.filter((name) => given[name] !== undefined);
  const changed = Object.fromEntries(names.map((name) => [name, given[name]])) as Partial<Profile>;
  return { ...pickFields(before, profile_fields), ...changed };
}
