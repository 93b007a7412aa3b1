import { checkedImportSchema, checkImportInput } from "@findersfee/contract/affiliates/import";
import {
  affiliateDetailSchema,
  affiliateIdInput,
  affiliateIdsInput,
  banAffiliatesInput,
  changedAffiliatesSchema,
  checkCodeInput,
  checkedCodeSchema,
  declineAffiliatesInput,
  listWaitingInput,
  mailPreviewSchema,
  moveAffiliatesInput,
  portalViewSchema,
  previewMailInput,
  previewWelcomeInput,
  unbanAffiliatesInput,
  waitingPageSchema,
} from "@findersfee/contract/affiliates/review";
import {
  affiliateRowPageSchema,
  exportAffiliatesInput,
  listAffiliateRowsInput,
  matchAffiliatesInput,
} from "@findersfee/contract/affiliates/rows";
import { matchingRowsSchema, rowCountSchema } from "@findersfee/contract/row-pages";
import { jobSchema } from "@findersfee/contract/work";
import { checkCode } from "@findersfee/domain/affiliates/check-code";
import { declineAffiliates } from "@findersfee/domain/affiliates/decline";
import { liftErasedBan } from "@findersfee/domain/affiliates/erased-bans";
import { checkImport } from "@findersfee/domain/affiliates/import/check";
import { inviteAffiliates } from "@findersfee/domain/affiliates/invite";
import { countAffiliates, listAffiliateRows, matchAffiliates } from "@findersfee/domain/affiliates/list-rows";
import { moveAffiliates } from "@findersfee/domain/affiliates/move";
import { setAffiliateStates } from "@findersfee/domain/affiliates/set-state";
import { listWaiting } from "@findersfee/domain/affiliates/waiting";
import { banAffiliates, unbanAffiliates } from "@findersfee/domain/ban-affiliates";
import { DomainError } from "@findersfee/domain/errors";
import { previewMail, previewWelcome } from "@findersfee/domain/mails/preview";
import { viewPortal } from "@findersfee/domain/portal/tokens/view";
import type { Principal } from "@findersfee/domain/principal";
import { getAffiliateDetail } from "@findersfee/domain/reports/affiliate";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { adminProcedure, peopleProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const affiliates = router({
  list: viewProcedure
    .input(listAffiliateRowsInput)
    .output(affiliateRowPageSchema)
    .query(({ ctx, input }) => listAffiliateRows(ctx.domain, input)),

  count: viewProcedure
    .input(matchAffiliatesInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countAffiliates(ctx.domain, input)),

  matching: viewProcedure
    .input(matchAffiliatesInput)
    .output(matchingRowsSchema)
    .query(({ ctx, input }) => matchAffiliates(ctx.domain, input)),

  get: viewProcedure
    .input(affiliateIdInput)
    .output(affiliateDetailSchema)
    .query(({ ctx, input }) => getAffiliateDetail(ctx.domain, input.id, ctx.dashboard_url)),

  waiting: viewProcedure
    .input(listWaitingInput)
    .output(waitingPageSchema)
    .query(({ ctx, input }) => listWaiting(ctx.domain, input)),

  previewMail: viewProcedure
    .input(previewMailInput)
    .output(mailPreviewSchema)
    .query(({ ctx, input }) => previewMail(ctx.domain, input, ctx.public_url)),

  // A message can be longer than an address.
  previewWelcome: viewProcedure
    .input(previewWelcomeInput)
    .output(mailPreviewSchema)
    .mutation(({ ctx, input }) => previewWelcome(ctx.domain, input, ctx.public_url)),

  approve: adminProcedure
    .input(affiliateIdsInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => setAffiliateStates(ctx.domain, { ids: input.ids, approved: true })),

  invite: adminProcedure
    .input(affiliateIdsInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => inviteAffiliates(ctx.domain, input)),

  decline: adminProcedure
    .input(declineAffiliatesInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => declineAffiliates(ctx.domain, input)),

  ban: adminProcedure
    .input(banAffiliatesInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => banAffiliates(ctx.domain, input)),

  unban: adminProcedure
    .input(unbanAffiliatesInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => unbanAffiliates(ctx.domain, input)),

  liftErasedBan: adminProcedure
    .input(affiliateIdInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => liftErasedBan(ctx.domain, input.id)),

  // A person's, since the session that it opens ends with the one in the dashboard.
  viewPortal: peopleProcedure
    .input(affiliateIdInput)
    .output(portalViewSchema)
    .mutation(({ ctx, input }) =>
      viewPortal(
        ctx.domain,
        { affiliate_id: input.id, user_session_id: staffSessionIdOf(ctx.principal) },
        { secrets_key: ctx.endpoint_policy.secrets_key, service_url: ctx.dashboard_url },
      ),
    ),

  move: adminProcedure
    .input(moveAffiliatesInput)
    .output(changedAffiliatesSchema)
    .mutation(({ ctx, input }) => moveAffiliates(ctx.domain, input)),

  checkCode: viewProcedure
    .input(checkCodeInput)
    .output(checkedCodeSchema)
    .query(({ ctx, input }) => checkCode(ctx.domain, input)),

  checkImport: adminProcedure
    .input(checkImportInput)
    .output(checkedImportSchema)
    // The lines are too long for an address.
    .mutation(({ ctx, input }) => checkImport(ctx.domain, input)),

  export: adminProcedure
    .input(exportAffiliatesInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "affiliates_export", input })),
});

function staffSessionIdOf(principal: Principal): string {
  if (principal.kind !== "staff_session") throw new DomainError("forbidden_role");
  return principal.session_id;
}
