import { noInput } from "@findersfee/contract/identity/sign-in";
import {
  confirmPayoutEmailInput,
  ownSettingsSchema,
  requestedPayoutEmailSchema,
  requestPayoutEmailInput,
  setLanguageInput,
  updateOwnSettingsInput,
} from "@findersfee/contract/portal/own-settings";
import { setLanguage } from "@findersfee/domain/portal/language";
import { getOwnSettings, updateOwnSettings } from "@findersfee/domain/portal/own-settings";
import {
  clearPayoutEmail,
  confirmPayoutEmail,
  requestPayoutEmail,
} from "@findersfee/domain/portal/payout-email";
import { addressProcedure, ownActiveProcedure, portalRouter } from "./trpc.ts";

/** The settings that affiliates change themselves. */
export const settings = portalRouter({
  get: ownActiveProcedure
    .output(ownSettingsSchema)
    .query(({ ctx }) => getOwnSettings(ctx.database, ctx.affiliate)),

  update: ownActiveProcedure
    .input(updateOwnSettingsInput)
    .output(ownSettingsSchema)
    .mutation(({ ctx, input }) => updateOwnSettings(ctx, ctx.affiliate, input)),

  request_payout_email: ownActiveProcedure
    .input(requestPayoutEmailInput)
    .output(requestedPayoutEmailSchema)
    .mutation(({ ctx, input }) => requestPayoutEmail(ctx, ctx.affiliate, input.email)),

  confirm_payout_email: ownActiveProcedure
    .input(confirmPayoutEmailInput)
    .mutation(({ ctx, input }) => confirmPayoutEmail(ctx, ctx.affiliate, input)),

  clear_payout_email: ownActiveProcedure
    .input(noInput)
    .mutation(({ ctx }) => clearPayoutEmail(ctx, ctx.affiliate)),

  set_language: addressProcedure
    .input(setLanguageInput)
    .mutation(({ ctx, input }) => setLanguage(ctx.database, ctx.session, input.language)),
});
