import { z } from "zod";
import { currency, currencyInput, id, idInput, must, text, timestamp } from "../fields.ts";
import { accountEmailInput, organizationNameInput, timeZoneInput } from "./account-fields.ts";
import { roles } from "./roles.ts";

export const memberSchema = z.object({
  user_id: id,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  has_second_factor: z.boolean().meta({ description: "An authenticator app or a passkey." }),
  is_disabled: z.boolean().meta({ description: "Whether the operator has disabled the user." }),
  last_seen_at: timestamp.nullable().meta({ description: "To the hour; null without a session." }),
  created_at: timestamp.meta({ description: "When the person joined the organization." }),
});

export type Member = z.infer<typeof memberSchema>;

export const changeMemberInput = z.strictObject({ user_id: idInput, role: z.enum(roles) });

export const removeMemberInput = z.strictObject({ user_id: idInput });

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
