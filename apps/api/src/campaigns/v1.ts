import {
  campaignPageSchema,
  campaignSchema,
  createCampaignInput,
  getCampaignInput,
  listCampaignsInput,
  updateCampaignInput,
} from "@findersfee/contract/campaigns/campaigns";
import { checkCampaignCreation, createCampaign } from "@findersfee/domain/campaigns/create";
import { getCampaign } from "@findersfee/domain/campaigns/get";
import { listCampaigns } from "@findersfee/domain/campaigns/list";
import { checkCampaignUpdate, updateCampaign } from "@findersfee/domain/campaigns/update";
import { allIssues, listAllIssues } from "../all-issues.ts";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

const tags = ["Campaigns"];

export const campaigns = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/campaigns",
        tags,
        summary: "List campaigns",
        description: "All campaigns of the organization, newest first.",
      },
    })
    .input(listCampaignsInput)
    .output(campaignPageSchema)
    .query(({ ctx, input }) => listCampaigns(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/campaigns/{id}",
        tags,
        summary: "Get a campaign",
        description: "One campaign with all its settings.",
      },
      errors: ["not_found"],
    })
    .input(getCampaignInput)
    .output(campaignSchema)
    .query(({ ctx, input }) => getCampaign(ctx.domain, input.id)),

  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/campaigns",
        tags,
        summary: "Create a campaign",
        description:
          "A campaign defines how commission is computed and how its affiliates refer customers. Defaults of omitted settings: no limit, no separate commissions for products and first payments, no approval, `cookie_duration` 30, `customers` `new`, `attribution` `last_click`, `commission_cap` on, everything else off or empty. `translations` has its texts in further languages of the portal. Affiliates can join it by its address, `/portal/<slug>/<id>/join`, and the organization's public page does not list it: to list it, or to close it, choose under “Portal” of the campaign in the dashboard who may join.",
      },
      errors: ["idempotency_conflict"],
      all_issues: allIssues(createCampaignInput, { check: checkCampaignCreation }),
    })
    .input(createCampaignInput)
    .output(campaignSchema)
    .mutation(({ ctx, input }) => createCampaign(ctx.domain, input)),

  update: writeProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/campaigns/{id}",
        tags,
        summary: "Update a campaign",
        description:
          "Omitted fields keep their values; null clears a nullable field. `translations` replaces all translations; a change of `custom_fields` also removes the unchanged translations of removed questions and choices. Read-only fields are accepted with their current values.",
      },
      errors: ["not_found"],
    })
    .use(listAllIssues(updateCampaignInput, { check: checkCampaignUpdate, get: getCampaign }))
    .input(updateCampaignInput)
    .output(campaignSchema)
    .mutation(({ ctx, input }) => updateCampaign(ctx.domain, input)),
});
