import { z } from "zod";
import { campaignSchema } from "../campaigns/campaigns.ts";
import { leadRates } from "../campaigns/lead-commissions.ts";
import { translationsOf } from "../campaigns/translation-schemas.ts";
import { currency, id, idInput, name, payeeEmailInput, text } from "../fields.ts";
import { MAX_ANSWER_LENGTHS, portalLanguages } from "./join-paths.ts";
import { publicRuleSchema } from "./rules.ts";

/** The fields of a campaign from which a page says its terms. */
const campaignTerms = {
  ...campaignSchema.pick({
    name: true,
    commission_type: true,
    commission_amount: true,
    limit_type: true,
    limit_amount: true,
    first_payment_commission: true,
  }).shape,
  lead_commissions: leadRates.meta({
    description: "Fixed commissions for sign-ups, trials and conversions.",
  }),
  has_rules: z.boolean().meta({ description: "Whether rules precede these terms for some payments." }),
};

/** The questions of a campaign's signup form, and its texts in other languages. */
export const signupForm = {
  ...campaignSchema.pick({ collect_details: true, details_text: true, custom_fields: true }).shape,
  translations: translationsOf({ name: true, details_text: true, custom_fields: true }),
};

const publicOrganizationSchema = z.object({
  name: z.string().meta({ description: "The organization.", example: "Acme" }),
  slug: z.string().meta({ description: "Its name in addresses.", example: "acme" }),
  currency: currency.meta({ description: "Fixed amounts of commissions are in it." }),
  terms_url: z
    .string()
    .nullable()
    .meta({ description: "The program's terms; null: there are none to accept.", example: null }),
  languages: z
    .array(z.enum(portalLanguages))
    .meta({ description: "The first one is for people without a known language.", example: ["en"] }),
});

/** The public data of an organization: the campaigns that it lists. */
export const publicProgramsSchema = z.object({
  organization: publicOrganizationSchema,
  campaigns: z
    .array(z.object({ id, ...campaignTerms, translations: translationsOf({ name: true }) }))
    .meta({ description: "The oldest first. Others can be joined by those who know their address." }),
});

export type PublicPrograms = z.infer<typeof publicProgramsSchema>;

/** The data of a campaign for everybody who knows its address: its terms and its signup form. */
export const publicProgramSchema = z.object({
  organization: publicOrganizationSchema,
  campaign: z.object({
    id,
    ...campaignTerms,
    ...signupForm,
    rules: z.array(publicRuleSchema).meta({ description: "In order. Those for tags are left out." }),
    website_url: campaignSchema.shape.website_url,
    approval_needed: campaignSchema.shape.approval_needed,
  }),
});

export type PublicProgram = z.infer<typeof publicProgramSchema>;

const slugInput = text(63);

export const publicProgramsInput = z.strictObject({ slug: slugInput });

export const publicProgramInput = z.strictObject({ slug: slugInput, campaign_id: idInput });

const MAX_ANSWERS = 50;
const MAX_CHOICES = 100;

/** The parts of an application that can be edited until it is decided. */
export const applicationFields = {
  first_name: name(100).meta({ description: "First name.", example: "Jane" }),
  last_name: text(100).default("").meta({ description: "Last name; may be empty.", example: "Doe" }),
  details: text(10_000)
    .nullable()
    .default(null)
    .meta({ description: "Not stored unless the campaign has `collect_details`.", example: null }),
  custom_fields: z
    .array(
      z.strictObject({
        id: text(64).meta({ description: "The campaign's custom field.", example: "audience" }),
        value: z.union([text(MAX_ANSWER_LENGTHS.textarea), z.array(text(200)).max(MAX_CHOICES)]).meta({
          description: "The answer; for `multi_select`, the list of the chosen options.",
          example: "Designers",
        }),
      }),
    )
    .max(MAX_ANSWERS)
    .default([])
    .meta({
      description:
        "Answers in any order. An issue has the path `custom_fields[2]` for the third of the campaign's fields.",
    }),
};

export type ApplicationInput = z.output<z.ZodObject<typeof applicationFields>>;

const answerText = { label: z.string(), value: z.string() };

/** A stored answer, and how it reads in other languages. */
export const answerFields = {
  ...answerText,
  translations: z.object({ en: z.object(answerText).nullish(), de: z.object(answerText).nullish() }),
};

/** The same in answers. */
export const applicationSchema = z.object({
  first_name: z.string(),
  last_name: z.string(),
  details: z.string().nullable(),
  custom_fields: z
    .array(z.object({ id: z.string(), value: z.union([z.string(), z.array(z.string())]) }))
    .meta({ description: "Answers that the form takes as it is now, one for each question." }),
});

export const joinInput = z.strictObject({
  slug: slugInput.meta({ description: "The organization.", example: "acme" }),
  campaign_id: idInput,
  email: payeeEmailInput.overwrite((value) => value.toLowerCase()),
  ...applicationFields,
  accepted_terms: z
    .boolean()
    .default(false)
    .meta({ description: "Must be true if the organization has `terms_url`." }),
  ref: text(200).optional().meta({
    description:
      "The link code of the affiliate that brought the person. The code of an affiliate that cannot recruit has no effect.",
  }),
  language: z.enum(portalLanguages).meta({ description: "The language of the form, and of mails." }),
  website: text(1_000)
    .default("")
    .meta({ description: "A field that people do not see. If it has a value, nothing happens." }),
});

export type Join = z.output<typeof joinInput>;

/** The answer to a code or a link that was accepted. */
export const signedInSchema = z.object({
  joined: z
    .object({
      affiliate_id: id,
      is_new: z.boolean().meta({ description: "False: the address had joined the campaign before." }),
    })
    .nullable()
    .meta({ description: "Null: the code was not for joining a program." }),
});

export type SignedIn = z.infer<typeof signedInSchema>;
