import {
  changePasswordInput,
  confirmEmailInput,
  credentialsSchema,
  updateProfileInput,
} from "@findersfee/contract/credentials";
import { noInput } from "@findersfee/contract/sign-in";
import { changePassword } from "@findersfee/domain/accounts/change-password";
import { confirmEmail, requestConfirmation } from "@findersfee/domain/accounts/confirm-email";
import { getCredentials, renameUser } from "@findersfee/domain/accounts/profile";
import { accountRouter, userProcedure } from "./trpc.ts";

/** The person's name, address and password. */
export const credentials = accountRouter({
  get: userProcedure
    .output(credentialsSchema)
    .query(({ ctx }) => getCredentials(ctx.database, ctx.session.user_id)),

  rename: userProcedure
    .input(updateProfileInput)
    .mutation(({ ctx, input }) => renameUser(ctx.database, { user_id: ctx.session.user_id, ...input })),

  change_password: userProcedure
    .input(changePasswordInput)
    .mutation(({ ctx, input }) => changePassword(ctx.database, ctx.session, input)),

  request_confirmation: userProcedure
    .input(noInput)
    .mutation(({ ctx }) => requestConfirmation(ctx, ctx.session.user_id)),

  confirm_email: userProcedure
    .input(confirmEmailInput)
    .mutation(({ ctx, input }) =>
      confirmEmail(ctx.database, { user_id: ctx.session.user_id, token: input.token }),
    ),
});
