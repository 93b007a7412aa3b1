import { z } from "zod";
import { commissionRuleInput, commissionRuleSchema, MAX_RULES } from "../campaigns/rules.ts";
import { id, idInput, name, timestamp, timestampInput } from "../fields.ts";

/** The most times at which an affiliate's rules change. */
export const MAX_RULE_PERIODS = 20;
const MAX_AFFILIATES = 100;

const describe = {
  affiliate_id: "The affiliate.",
  starts_at: "Payments that were made from then on are decided by these rules.",
  note: "For your team; null for none.",
  rules:
    "Rules that precede those of the campaign, in their order. Empty: from then on, it has none of its own.",
};

const affiliateId = idInput.meta({ description: describe.affiliate_id });

const rulePeriodSchema = z
  .object({
    starts_at: timestamp.meta({ description: describe.starts_at }),
    note: z.string().nullable().meta({ description: describe.note, example: "Conference deal" }),
    rules: z.array(commissionRuleSchema).meta({ description: describe.rules }),
  })
  .meta({ id: "CommissionRulePeriod" });

/** The rules of an affiliate's own. */
export const affiliateRulesSchema = z
  .object({
    affiliate_id: id.meta({ description: describe.affiliate_id }),
    periods: z.array(rulePeriodSchema).meta({
      description:
        "Each one lasts until the next one starts, oldest first. Empty: the campaign's rules apply.",
    }),
  })
  .meta({ id: "AffiliateCommissionRules" });

export type AffiliateRules = z.infer<typeof affiliateRulesSchema>;

export const getAffiliateRulesInput = z.strictObject({ affiliate_id: affiliateId });

export const setAffiliateRulesInput = z
  .strictObject({
    affiliate_ids: z
      .array(idInput)
      .min(1)
      .max(MAX_AFFILIATES)
      .meta({
        description: "The affiliates: all of them get the rules, or none.",
        example: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"],
      }),
    starts_at: timestampInput.optional().meta({ description: `${describe.starts_at} Default: now.` }),
    note: name(500).nullable().default(null).meta({ description: describe.note, example: "Conference deal" }),
    rules: z.array(commissionRuleInput).max(MAX_RULES).meta({ description: describe.rules }),
  })
  .meta({
    example: {
      affiliate_ids: ["0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"],
      note: "Conference deal",
      rules: [{ conditions: {}, reward: { type: "percentage", amount: 40 } }],
    },
  });

export type SetAffiliateRules = z.output<typeof setAffiliateRulesInput>;

export const removeAffiliateRulesInput = z
  .strictObject({
    affiliate_id: affiliateId,
    starts_at: timestampInput.meta({ description: "The start of the rules to remove." }),
  })
  .meta({
    example: {
      affiliate_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      starts_at: "2026-11-20T09:30:00.000Z",
    },
  });

export type RemoveAffiliateRules = z.output<typeof removeAffiliateRulesInput>;

export const setRulesSchema = z
  .object({
    starts_at: timestamp.meta({ description: describe.starts_at }),
    affiliates: z.int().meta({ description: "The number of affiliates that got the rules.", example: 1 }),
  })
  .meta({ id: "SetCommissionRules" });

export type SetRules = z.infer<typeof setRulesSchema>;
