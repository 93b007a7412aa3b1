import { settingsSchema, signupSecretSchema, updateSettingsInput } from "@findersfee/contract/organizations";
import { getSettings } from "@findersfee/domain/organizations/settings/get";
import { rotateSignupSecret } from "@findersfee/domain/organizations/settings/rotate-signup-secret";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "./trpc/trpc.ts";

/** The organization's payout settings. */
export const settings = router({
  get: viewProcedure.output(settingsSchema).query(({ ctx }) => getSettings(ctx.domain)),

  update: adminProcedure
    .input(updateSettingsInput)
    .output(settingsSchema)
    .mutation(({ ctx, input }) => updateSettings(ctx.domain, input)),

  rotateSignupSecret: adminProcedure
    .input(z.strictObject({}))
    .output(signupSecretSchema)
    .mutation(({ ctx }) => rotateSignupSecret(ctx.domain, ctx.endpoint_policy.secrets_key)),
});
