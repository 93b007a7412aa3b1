import {
  affiliatePageSchema,
  affiliateSchema,
  createAffiliateInput,
  getAffiliateInput,
  listAffiliatesInput,
  updateAffiliateInput,
} from "@findersfee/contract/affiliates/affiliates";
import {
  affiliateRulesSchema,
  getAffiliateRulesInput,
  removeAffiliateRulesInput,
  setAffiliateRulesInput,
  setRulesSchema,
} from "@findersfee/contract/affiliates/rules";
import { creditPaymentInput, overrideResultSchema } from "@findersfee/contract/attribution/overrides";
import { affiliateTiersSchema, getAffiliateTiersInput } from "@findersfee/contract/tiers";
import { checkAffiliateCreation, createAffiliate } from "@findersfee/domain/affiliates/create";
import { getAffiliate } from "@findersfee/domain/affiliates/get";
import { listAffiliates } from "@findersfee/domain/affiliates/list";
import {
  getAffiliateRules,
  removeAffiliateRules,
  setAffiliateRules,
} from "@findersfee/domain/affiliates/rules";
import { checkAffiliateUpdate, updateAffiliate } from "@findersfee/domain/affiliates/update";
import { creditPayment } from "@findersfee/domain/attribution/overrides/make";
import { getAffiliateTiers } from "@findersfee/domain/tiers/get";
import { allIssues, listAllIssues } from "../all-issues.ts";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

const tags = ["Affiliates"];

export const affiliates = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/affiliates",
        tags,
        summary: "List affiliates",
        description:
          "Affiliates with their campaigns, newest first. Filters combine: the list contains affiliates that match all of them. A `campaign_id` that does not exist returns `not_found`.",
      },
      errors: ["not_found"],
    })
    .input(listAffiliatesInput)
    .output(affiliatePageSchema)
    .query(({ ctx, input }) => listAffiliates(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/affiliates/{id}",
        tags,
        summary: "Get an affiliate",
        description: "One affiliate with its links, promo codes and campaign.",
      },
      errors: ["not_found"],
    })
    .input(getAffiliateInput)
    .output(affiliateSchema)
    .query(({ ctx, input }) => getAffiliate(ctx.domain, input.id)),

  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/affiliates",
        tags,
        summary: "Create an affiliate",
        description:
          "Creates the affiliate's link, its promo code, or both, depending on the campaign's `code_mode`, and sends `affiliate.created`.",
      },
      errors: ["not_found", "affiliate_exists", "affiliate_banned", "code_taken", "idempotency_conflict"],
      all_issues: allIssues(createAffiliateInput, { check: checkAffiliateCreation }),
    })
    .input(createAffiliateInput)
    .output(affiliateSchema)
    .mutation(({ ctx, input }) => createAffiliate(ctx.domain, input)),

  update: writeProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/affiliates/{id}",
        tags,
        summary: "Update an affiliate",
        description:
          "Omitted fields keep their values; null clears a nullable field. Read-only fields are accepted with their current values. Approving sends `affiliate.approved`. An erased affiliate cannot be restored: only its `approved` can change; other changes return `invalid_request`. Create a new affiliate instead.",
      },
      errors: ["not_found", "affiliate_exists", "affiliate_banned", "code_taken"],
    })
    .use(listAllIssues(updateAffiliateInput, { check: checkAffiliateUpdate, get: getAffiliate }))
    .input(updateAffiliateInput)
    .output(affiliateSchema)
    .mutation(({ ctx, input }) => updateAffiliate(ctx.domain, input)),

  credit: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/affiliates/{affiliate_id}/credit",
        tags: ["Overrides"],
        summary: "Credit an affiliate for a payment",
        description:
          "A payment that earned nothing earns a commission for the affiliate, by the terms of its campaign, also if a limit, a ban or an older click would refuse it. A customer without a referral becomes the affiliate's from this payment on.",
      },
      errors: [
        "not_found",
        "commission_exists",
        "override_refused",
        "override_changed",
        "idempotency_conflict",
      ],
    })
    .input(creditPaymentInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => creditPayment(ctx.domain, input)),
});

/** The tiers of affiliates. */
export const affiliate_tiers = router({
  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/affiliate_tiers/{affiliate_id}",
        tags: ["Affiliate tiers"],
        summary: "Get an affiliate's tiers",
        description:
          "The affiliate's number in the period of its campaign's tiers, and the changes of its tier.",
      },
      errors: ["not_found"],
    })
    .input(getAffiliateTiersInput)
    .output(affiliateTiersSchema)
    .query(({ ctx, input }) => getAffiliateTiers(ctx.domain, input.affiliate_id)),
});

const rule_tags = ["Affiliate rules"];

/** The rules of affiliates' own. */
export const affiliate_rules = router({
  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/affiliate_rules/{affiliate_id}",
        tags: rule_tags,
        summary: "Get an affiliate's commission rules",
        description: "The rules of the affiliate's own, which precede those of its campaign.",
      },
      errors: ["not_found"],
    })
    .input(getAffiliateRulesInput)
    .output(affiliateRulesSchema)
    .query(({ ctx, input }) => getAffiliateRules(ctx.domain, input.affiliate_id)),

  set: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/affiliate_rules",
        tags: rule_tags,
        summary: "Set affiliates' commission rules",
        description:
          "Gives affiliates rules of their own from a time on: they precede those of their campaigns. Rules that start at the same time are replaced. Payments that were decided before keep their terms.",
      },
      errors: ["not_found", "idempotency_conflict"],
    })
    .input(setAffiliateRulesInput)
    .output(setRulesSchema)
    .mutation(({ ctx, input }) => setAffiliateRules(ctx.domain, input)),

  remove: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/affiliate_rules/{affiliate_id}/remove",
        tags: rule_tags,
        summary: "Remove an affiliate's commission rules",
        description:
          "Removes the rules that start at a time, if there are any: the ones before, or those of the campaign, last on. Payments that were decided before keep their terms.",
      },
      errors: ["not_found", "idempotency_conflict"],
    })
    .input(removeAffiliateRulesInput)
    .output(affiliateRulesSchema)
    .mutation(({ ctx, input }) => removeAffiliateRules(ctx.domain, input)),
});
