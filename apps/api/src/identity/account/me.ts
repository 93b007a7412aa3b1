import { meSchema, preferencesSchema, updatePreferencesInput } from "@findersfee/contract/identity/accounts";
import { getMe, updatePreferences } from "@findersfee/domain/identity/accounts/me";
import { accountRouter, userProcedure } from "./trpc.ts";

/** The person who is signed in. */
export const me = accountRouter({
  get: userProcedure.output(meSchema).query(({ ctx }) => getMe(ctx.database, ctx.session, ctx)),

  update_preferences: userProcedure
    .input(updatePreferencesInput)
    .output(preferencesSchema)
    .mutation(({ ctx, input }) => updatePreferences(ctx.database, ctx.session.user_id, input)),
});
