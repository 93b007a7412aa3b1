import { settingsSchema, updateSettingsInput } from "@findersfee/contract/settings";
import { getSettings } from "@findersfee/domain/settings/get";
import { updateSettings } from "@findersfee/domain/settings/update";
import { router, staffProcedure } from "../trpc.ts";

/** How the organization pays. */
export const settings = router({
  get: staffProcedure.output(settingsSchema).query(({ ctx }) => getSettings(ctx.domain)),

  update: staffProcedure
    .input(updateSettingsInput)
    .output(settingsSchema)
    .mutation(({ ctx, input }) => updateSettings(ctx.domain, input)),
});
