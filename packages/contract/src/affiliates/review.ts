import { z } from "zod";
import {
  amount,
  codeInput,
  currency,
  email,
  id,
  idInput,
  name,
  text,
  timestamp,
  wholeNumber,
} from "../fields.ts";
import { balanceSchema } from "../ledger/balances.ts";
import { portalLanguages } from "../portal/join-paths.ts";
import { promoCodeSchema } from "../processors/processors.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { affiliateSchema } from "./affiliates.ts";
import { affiliateStates } from "./rows.ts";
import { tagsInput } from "./tags.ts";

/** The most affiliates of one request: a page of the list. */
const MAX_AFFILIATES = 100;

export const affiliateIdsInput = z.strictObject({ ids: z.array(idInput).min(1).max(MAX_AFFILIATES) });

export const moveAffiliatesInput = affiliateIdsInput.extend({ campaign_id: idInput });

const reason = text(1000).meta({
  description: "For the affiliate, who sees it in the portal; may be empty.",
});

export const tagAffiliatesInput = affiliateIdsInput
  .extend({ add: tagsInput.default([]), remove: tagsInput.default([]) })
  .refine(({ add, remove }) => !add.some((tag) => remove.includes(tag)), {
    path: ["remove"],
    error: "Must not contain a tag of add.",
  });

export type TagAffiliates = z.output<typeof tagAffiliatesInput>;

/** The tags that affiliates have. */
export const knownTagsSchema = z.object({ tags: z.array(z.string()) });

export type KnownTags = z.infer<typeof knownTagsSchema>;

export const declineAffiliatesInput = affiliateIdsInput.extend({
  reason: reason.nullable().default(null),
  mail: z.boolean().meta({ description: "Whether the affiliates get a mail, with the reason." }),
});

export type DeclineAffiliates = z.output<typeof declineAffiliatesInput>;

export const banAffiliatesInput = affiliateIdsInput.extend({
  reason: reason.nullable().default(null),
  due: z.enum(["pay", "hold", "void"]).default("pay").meta({
    description:
      "The action for commissions that are not paid: payout runs `pay` them; runs leave them out (`hold`); or they are voided (`void`), and runs leave later ones out. Amounts that came back after an affiliate was erased can only be voided.",
  }),
});

export const unbanAffiliatesInput = affiliateIdsInput.extend({
  release: z.boolean().default(false).meta({
    description:
      "Whether payout runs pay affiliates again that the ban left out. Without it, they are left out until `payout_runs.release`.",
  }),
});

export type UnbanAffiliates = z.output<typeof unbanAffiliatesInput>;

export type BanAffiliates = z.output<typeof banAffiliatesInput>;

/** How many of the affiliates were not yet in the state. */
export const changedAffiliatesSchema = z.object({ changed: z.int() });

export type ChangedAffiliates = z.infer<typeof changedAffiliatesSchema>;

export const listWaitingInput = z.strictObject({
  campaign_id: idInput.optional(),
  after: idInput.optional().meta({ description: "`next` of the previous page." }),
  limit: wholeNumber(1, MAX_AFFILIATES).default(50),
});

export type ListWaiting = z.output<typeof listWaitingInput>;

/** Counting those who wait stops here. */
export const MAX_COUNTED_WAITING = 1000;

const otherAccountSchema = z.object({ id, campaign_name: z.string(), state: z.enum(affiliateStates) });

/** An application. */
const waitingAffiliateSchema = z.object({
  id,
  email,
  first_name: z.string(),
  last_name: z.string(),
  payout_email: z.string().nullable(),
  details: z.string().nullable(),
  custom_fields: affiliateSchema.shape.custom_fields,
  campaign: z.object({ id, name: z.string() }),
  created_at: timestamp,
  email_confirmed_at: timestamp.nullable(),
  others: z
    .array(otherAccountSchema)
    .meta({ description: "Other affiliates with the same email or payout email." }),
});

export type WaitingAffiliate = z.infer<typeof waitingAffiliateSchema>;

export const waitingPageSchema = z.object({
  data: z.array(waitingAffiliateSchema).meta({ description: "Oldest first." }),
  next: id.nullable().meta({ description: "Where the next page begins; null: this is the last one." }),
  count: z.int().meta({ description: `All who wait, up to ${MAX_COUNTED_WAITING}.` }),
});

export type WaitingPage = z.infer<typeof waitingPageSchema>;

export const previewMailInput = z.strictObject({
  id: idInput,
  kind: z.enum(["approved", "declined"]),
  reason: reason.nullable().default(null),
});

export type PreviewMail = z.output<typeof previewMailInput>;

export const previewWelcomeInput = z.strictObject({
  campaign_id: idInput,
  welcome_message: text(10_000)
    .nullable()
    .meta({ description: "The message as it is being written; null: none.", example: "Welcome!" }),
  campaign_name: name(200)
    .optional()
    .meta({ description: "The campaign's name as it is being written. Default: the stored one." }),
  language: z
    .enum(portalLanguages)
    .optional()
    .meta({ description: "The language of the mail. Default: the first one that the portal offers." }),
});

export type PreviewWelcome = z.output<typeof previewWelcomeInput>;

/** A mail as it would be sent now. */
export const mailPreviewSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  language: z.enum(portalLanguages),
});

export type MailPreview = z.infer<typeof mailPreviewSchema>;

export const affiliateIdInput = z.strictObject({ id: idInput });

/** The portal as an affiliate sees it, for a member of the organization. */
export const portalViewSchema = z.object({
  url: z.string().meta({ description: "Opens the portal once, until `expires_at`." }),
  expires_at: timestamp,
});

export type PortalView = z.infer<typeof portalViewSchema>;

/** The recruits in an affiliate's details, the newest first; the list of affiliates has more. */
export const MAX_DETAIL_RECRUITS = 20;

/** Everything between the organization and an affiliate, for the dashboard. */
export const affiliateDetailSchema = z.object({
  recruiter: reducedAffiliateSchema.nullable().meta({ description: "Who recruited it; null: nobody." }),
  recruits: z
    .array(
      reducedAffiliateSchema.extend({
        created_at: timestamp,
        until: timestamp.meta({ description: "Commissions for payments before it count." }),
        percent: z.number(),
        earned: z.array(z.object({ currency, amount })),
      }),
    )
    .meta({
      description: `Its recruits, with the amounts that it got of their commissions: the newest ${MAX_DETAIL_RECRUITS}.`,
    }),
  affiliate: affiliateSchema,
  state: z.enum(affiliateStates),
  declined_at: timestamp.nullable(),
  decline_reason: z.string().nullable(),
  ban_reason: z.string().nullable(),
  left_at: timestamp.nullable(),
  email_confirmed_at: timestamp.nullable(),
  agreed_at: timestamp.nullable().meta({
    description:
      "When the person agreed to be the affiliate; null: the organization added it, and the person has not.",
  }),
  disowned_at: timestamp
    .nullable()
    .meta({ description: "When the person said that the invitation is not theirs." }),
  mail_waits_until: timestamp.nullable().meta({
    description:
      "When a mail to the affiliate is sent that waits for the next day's quota; null: none waits.",
  }),
  invitation: z
    .object({
      mail: z
        .object({ state: z.enum(["due", "sent", "failed"]), at: timestamp })
        .nullable()
        .meta({
          description:
            "The last mail that invites the person, and when it is due, or ended; null: none of the last 90 days.",
        }),
      url: z.string().nullable().meta({
        description: "The portal, where the person answers after signing in; null: its address is unknown.",
      }),
      can_send: z.boolean().meta({ description: "Whether it can be sent now: to an address, once a day." }),
    })
    .nullable()
    .meta({
      description:
        "For an active affiliate who has not answered; null: it has, it is not active, or it has no portal.",
    }),
  erased: z.boolean(),
  erased_ban: z.object({ reason: z.string().nullable(), erased_at: timestamp }).nullable().meta({
    description:
      "The ban of an erased affiliate: nobody joins or is added with its addresses. The reason is without the person's names and addresses.",
  }),
  payout_hold: z
    .object({
      reason: z.string(),
      of_ban: z.boolean().meta({ description: "Whether a ban set it; its end can end the hold." }),
      held_at: timestamp,
      ends_at: timestamp.nullable().meta({
        description:
          "When it ends automatically, some days after the affiliate changed its payout email; null: a person ends it.",
      }),
    })
    .nullable()
    .meta({ description: "Why payout runs leave the affiliate out; null: they do not." }),
  balances: z.array(balanceSchema),
  missing_rates: z.array(z.string()).optional().meta({
    description:
      "Currencies without a reference rate of today: amounts that need one for the affiliate's payout currency stay due. Absent if there are none.",
  }),
  promo_codes: z.array(promoCodeSchema),
  former_link_codes: z
    .array(z.string())
    .meta({ description: "Replaced link codes, the last ones first; links with them still count." }),
  months: z
    .array(z.object({ month: z.string(), earned: amount, clicks: z.int() }))
    .meta({ description: "The last 12 months, oldest first; the amounts are in `currency`." }),
  currency,
});

export type AffiliateDetail = z.infer<typeof affiliateDetailSchema>;

const codeKinds = ["link", "promo"] as const;

export const checkCodeInput = z.strictObject({
  kind: z.enum(codeKinds),
  code: codeInput,
  affiliate_id: idInput
    .optional()
    .meta({ description: "The affiliate that the code is for; it may take back a code." }),
});

export type CheckCode = z.output<typeof checkCodeInput>;

export const checkedCodeSchema = z.object({
  is_free: z.boolean(),
  affiliate: z
    .object({ id, email, first_name: z.string(), last_name: z.string() })
    .nullable()
    .meta({ description: "The affiliate who has it, or had it, for links that it has published." }),
});

export type CheckedCode = z.infer<typeof checkedCodeSchema>;
