import { z } from "zod";
import { must, name, text, timestamp, wholeNumber } from "../fields.ts";
import { roles } from "./roles.ts";

const MAX_URL_LENGTH = 1000;
const MAX_NAME_LENGTH = 200;
const MAX_SECRET_LENGTH = 4000;
const MAX_ROLES = 100;
const MAX_HOURS = 168;

const claimRoleSchema = z
  .object({
    value: z.string().meta({ description: "A value of the claim.", example: "findersfee-admins" }),
    role: z.enum(roles).meta({ description: "The role that it gives.", example: "admin" }),
  })
  .meta({ id: "ClaimRole" });

const signInDomainSchema = z
  .object({
    domain: z.string().meta({ description: "The domain of addresses, in ASCII.", example: "acme.com" }),
    record: z
      .object({
        name: z.string().meta({ description: "The name of the record.", example: "_findersfee.acme.com" }),
        value: z.string().meta({
          description: "Its text.",
          example: "findersfee=0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
        }),
      })
      .meta({ id: "SignInDomainRecord", description: "The TXT record that proves the domain." }),
    proven_at: timestamp.nullable().meta({ description: "Since when it is proven; null: it is not." }),
    checked_at: timestamp.nullable().meta({ description: "The last look at the record; null: none yet." }),
    failure: z.enum(["missing", "different", "unanswered"]).nullable().meta({
      description: "Why the last look found no proof; null: it found it, or there was none.",
      example: "missing",
    }),
  })
  .meta({ id: "SignInDomain" });

const signInProviderSchema = z
  .object({
    issuer: z.string().meta({ description: "Its issuer identifier.", example: "https://id.acme.com" }),
    client_id: z.string().meta({ description: "The id of this service there.", example: "findersfee" }),
    role_claim: z.string().nullable().meta({
      description: "The claim that gives roles; null: members keep their roles.",
      example: "groups",
    }),
    claim_roles: z.array(claimRoleSchema).meta({ description: "Roles by value of the claim." }),
    default_role: z.enum(roles).nullable().meta({
      description: "The role of people without such a value; null: they cannot sign in.",
      example: "viewer",
    }),
    is_required: z.boolean().meta({
      description: "Whether members with an address of a proven domain must sign in by it.",
      example: false,
    }),
    session_hours: z.int().meta({ description: "The length of its sessions.", example: 12 }),
    used_at: timestamp.nullable().meta({
      description: "The last sign-in with these settings; null: none yet, so it cannot be required.",
    }),
  })
  .meta({ id: "SignInProvider" });

/** The settings of an organization for single sign-on. */
export const singleSignOnSchema = z.object({
  callback_url: z.string().meta({
    description: "The redirect URI to register at the provider.",
    example: "https://app.example.com/auth/single-sign-on/callback",
  }),
  provider: signInProviderSchema.nullable().meta({ description: "Null: none is connected." }),
  domains: z.array(signInDomainSchema).meta({ description: "The domains that it is for." }),
});

export type SingleSignOnSettings = z.infer<typeof singleSignOnSchema>;

export const saveSignInProviderInput = z.strictObject({
  issuer: text(MAX_URL_LENGTH).meta({
    description: "Its issuer identifier.",
    example: "https://id.acme.com",
  }),
  client_id: name(MAX_NAME_LENGTH).meta({
    description: "The id of this service there.",
    example: "findersfee",
  }),
  client_secret: name(MAX_SECRET_LENGTH).optional().meta({
    description: "Required for a new provider; omitted: the stored one stays.",
    example: "correct-horse",
  }),
  role_claim: name(MAX_NAME_LENGTH).nullable().default(null).meta({
    description: "The claim that gives roles.",
    example: "groups",
  }),
  claim_roles: z
    .array(z.strictObject({ value: name(MAX_NAME_LENGTH), role: z.enum(roles) }))
    .max(MAX_ROLES)
    .default([])
    .meta({
      description: "Roles by value of the claim.",
      example: [{ value: "findersfee-admins", role: "admin" }],
    }),
  default_role: z.enum(roles).nullable().default(null),
  session_hours: wholeNumber(1, MAX_HOURS).default(12),
});

export type SaveSignInProvider = z.output<typeof saveSignInProviderInput>;

export const requireSingleSignOnInput = z.strictObject({ is_required: z.boolean() });

const MAX_DOMAIN_LENGTH = 253;
const DOMAIN = "Must be a domain of email addresses, as in acme.com.";

export const signInDomainInput = z.strictObject({
  domain: text(MAX_DOMAIN_LENGTH)
    .overwrite((value) => value.trim().toLowerCase())
    .refine((value) => isDomain(value), must(DOMAIN))
    .meta({ description: "The part of addresses after @, in ASCII.", example: "acme.com" }),
});

function isDomain(value: string): boolean {
  const labels = value.split(".");
  return labels.length > 1 && labels.every((label) => /^[a-z0-9-]{1,63}$/.test(label) && isLabel(label));
}

function isLabel(label: string): boolean {
  return !label.startsWith("-") && !label.endsWith("-");
}
