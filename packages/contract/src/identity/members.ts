import { z } from "zod";
import { currency, currencyInput, id, idInput, must, text, timestamp } from "../fields.ts";
import { accountEmailInput, organizationNameInput, timeZoneInput } from "./account-fields.ts";
import { userSessionSchema } from "./credentials.ts";
import { roles } from "./roles.ts";

export const memberSchema = z.object({
  user_id: id,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  has_second_factor: z.boolean().meta({ description: "An authenticator app or a passkey." }),
  has_authenticator_app: z.boolean().meta({
    description: "Whether sign-ins with the password need a code, as the organization can require.",
  }),
  is_disabled: z.boolean().meta({ description: "Whether the operator has disabled the user." }),
  last_seen_at: timestamp.nullable().meta({ description: "To the minute; null without a session." }),
  created_at: timestamp.meta({ description: "When the person joined the organization." }),
});

export type Member = z.infer<typeof memberSchema>;

const keptAccess = {
  keep_api_key_ids: z.array(idInput).max(500).default([]).meta({
    description:
      "Those of the member's API keys that stay valid; the others are revoked, if the member ends or loses the right to keys.",
  }),
  keep_endpoint_ids: z.array(idInput).max(50).default([]).meta({
    description: "Those of the member's webhook endpoints that stay enabled; the others are disabled.",
  }),
};

/** The access that outlives the member or the role by another person's choice. */
export interface AccessChoice {
  keep_api_key_ids: string[];
  keep_endpoint_ids: string[];
}

export const changeMemberInput = z.strictObject({ user_id: idInput, role: z.enum(roles), ...keptAccess });

export type ChangeMember = z.output<typeof changeMemberInput>;

export const removeMemberInput = z.strictObject({ user_id: idInput, ...keptAccess });

export type RemoveMember = z.output<typeof removeMemberInput>;

export const memberIdInput = z.strictObject({ user_id: idInput });

export const memberSessionSchema = userSessionSchema.omit({ is_current: true });

export type MemberSession = z.infer<typeof memberSessionSchema>;

export const endMemberSessionsInput = z.strictObject({
  user_id: idInput,
  id: idInput.optional().meta({ description: "The session to end; absent: all of the member." }),
});

export type EndMemberSessions = z.output<typeof endMemberSessionsInput>;

export const memberAccessInput = z.strictObject({
  user_id: idInput,
  role: z
    .enum(roles)
    .optional()
    .meta({ description: "The role that the member is to get; absent: the member is to be removed." }),
});

export type MemberAccessInput = z.output<typeof memberAccessInput>;

export const memberAccessSchema = z.object({
  api_keys: z
    .array(
      z.object({
        id,
        name: z.string(),
        scopes: z.array(z.string()),
        last_four: z.string(),
        created_at: timestamp,
        last_used_at: timestamp.nullable().meta({ description: "To the minute; null: never used." }),
      }),
    )
    .meta({
      description: "Valid keys that the member made, or that were made with one of these, newest first.",
    }),
  endpoints: z
    .array(z.object({ id, url: z.string(), description: z.string() }))
    .meta({ description: "Enabled webhook endpoints with a URL that the member set, newest first." }),
  invitations: z.int().meta({ description: "Open invitations that the member sent, which always end." }),
  jobs: z.int().meta({ description: "Exports and other jobs of the member under way, which always end." }),
});

export type MemberAccess = z.infer<typeof memberAccessSchema>;

export const organizationSchema = z.object({
  id,
  name: z.string(),
  slug: z.string().meta({ description: "Its name in the dashboard's addresses.", example: "acme" }),
  currency,
  time_zone: z.string().meta({ example: "Europe/Berlin" }),
  support_email: z.string().nullable().meta({
    description: "Where affiliates' answers to mails go; null: nowhere.",
    example: "partners@example.com",
  }),
  currency_is_locked: z
    .boolean()
    .meta({ description: "Whether campaigns have fixed amounts, which are in the currency." }),
});

export type DashboardOrganization = z.infer<typeof organizationSchema>;

const SLUG = "Must be lower-case letters and digits, with single hyphens between them.";

export const updateOrganizationInput = z.strictObject({
  name: organizationNameInput.optional(),
  slug: text(63)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, must(SLUG))
    .optional(),
  time_zone: timeZoneInput.optional(),
  currency: currencyInput.optional(),
  support_email: accountEmailInput.nullable().optional(),
});

export type UpdateOrganization = z.infer<typeof updateOrganizationInput>;
