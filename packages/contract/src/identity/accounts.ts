import { z } from "zod";
import { currency, email, id, must, text } from "../fields.ts";
import { roles } from "./roles.ts";

const themes = ["system", "light", "dark"] as const;
const date_orders = ["browser", "month_first", "day_first"] as const;

export const preferencesSchema = z.object({
  theme: z.enum(themes).meta({ description: "The colors of the screens.", example: "system" }),
  shortcuts: z.boolean().meta({ description: "Whether single keys are shortcuts.", example: true }),
  dates: z.enum(date_orders).meta({
    description:
      "How dates are written: as in the browser's region, as Nov 21, 8:06 PM, or as 21 Nov, 20:06.",
    example: "browser",
  }),
  list_columns: z.record(z.string(), z.array(z.string())).meta({
    description: "The columns that the person chose, by list; other lists have their own.",
    example: { payments: ["date", "amount", "outcome"] },
  }),
});

export type UserPreferences = z.infer<typeof preferencesSchema>;

const userOrganizationSchema = z.object({
  id: id.meta({ description: "Identifies the organization; send it in the header findersfee-organization." }),
  slug: z.string().meta({ description: "Its name in the dashboard's addresses.", example: "acme" }),
  name: z.string().meta({ description: "Its name.", example: "Acme" }),
  currency,
  time_zone: z.string().meta({ description: "The IANA zone of its days and months.", example: "UTC" }),
  role: z.enum(roles).meta({ description: "The person's role in it.", example: "admin" }),
  portal_url: z.string().meta({
    description:
      "The address of its affiliates' portal, at its custom domain if it has one; pages are below.",
    example: "https://partners.acme.example/portal",
  }),
  join_url: z.string().meta({
    description:
      "The address to join its program: of the form, if it lists one campaign; else of those that it lists.",
    example: "https://partners.acme.example/join",
  }),
  test_of: id.nullable().meta({ description: "The organization that it has the test data of; null: none." }),
  needs_single_sign_on: z.boolean().meta({
    description: "Whether the organization requires single sign-on, so that this session does not open it.",
  }),
  second_factor_required: z.boolean().meta({
    description: "Whether it opens only for members with an authenticator app.",
    example: false,
  }),
});

/** The person who is signed in. */
export const meSchema = z.object({
  user: z.object({
    id: id.meta({ description: "Identifies the person." }),
    name: z.string().meta({ description: "The person's name.", example: "Jane Doe" }),
    email,
    two_factor_enabled: z.boolean().meta({
      description: "Whether a sign-in with a password needs a second factor.",
      example: false,
    }),
  }),
  preferences: preferencesSchema,
  organizations: z.array(userOrganizationSchema).meta({ description: "Those that the person belongs to." }),
});

export type Me = z.infer<typeof meSchema>;

const MAX_LISTS = 50;
const MAX_COLUMNS = 50;
const MAX_NAME_LENGTH = 64;

/** Omitted fields keep their values. */
export const updatePreferencesInput = z.strictObject({
  theme: z.enum(themes).optional(),
  shortcuts: z.boolean().optional(),
  dates: z.enum(date_orders).optional(),
  list_columns: z
    .record(text(MAX_NAME_LENGTH), z.array(text(MAX_NAME_LENGTH)).max(MAX_COLUMNS))
    .refine((lists) => Object.keys(lists).length <= MAX_LISTS, must(`Must name at most ${MAX_LISTS} lists.`))
    .optional()
    .meta({ description: "Replaces the columns of all lists." }),
});

export type UpdatePreferences = z.infer<typeof updatePreferencesInput>;
