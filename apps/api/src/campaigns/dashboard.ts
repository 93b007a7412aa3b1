import { getCampaignInput } from "@findersfee/contract/campaigns/campaigns";
import {
  campaignRowsSchema,
  editCampaignInput,
  editedCampaignSchema,
  simulateCampaignInput,
  simulationSchema,
} from "@findersfee/contract/campaigns/editing";
import { simulateCampaign } from "@findersfee/domain/attribution/simulate-campaign";
import { editCampaign, getEditedCampaign } from "@findersfee/domain/campaigns/edit";
import { listCampaignRows } from "@findersfee/domain/campaigns/list-rows";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const campaigns = router({
  list: viewProcedure.output(campaignRowsSchema).query(({ ctx }) => listCampaignRows(ctx.domain)),

  get: viewProcedure
    .input(getCampaignInput)
    .output(editedCampaignSchema)
    .query(({ ctx, input }) => getEditedCampaign(ctx.domain, input.id)),

  update: adminProcedure
    .input(editCampaignInput)
    .output(editedCampaignSchema)
    .mutation(({ ctx, input }) => editCampaign(ctx.domain, input)),

  // Rules can be longer than an address.
  simulate: viewProcedure
    .input(simulateCampaignInput)
    .output(simulationSchema)
    .mutation(({ ctx, input }) => simulateCampaign(ctx.domain, input)),
});
