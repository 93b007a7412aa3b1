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
import { DomainError } from "@findersfee/domain/errors";
import { AddressLimiter } from "../admission/address-limiter.ts";
import { accountRouter, userProcedure } from "./trpc.ts";

/** Per user, minute and process: each one hashes passwords, and can be a guess of somebody with an open browser. */
const password_changes = new AddressLimiter(10);

function countChange(user_id: string): void {
  if (!password_changes.count(user_id)) return;
  throw new DomainError("rate_limited", {
    message: "Too many attempts to change the password; retry after Retry-After seconds.",
    retry_after_seconds: password_changes.reset_seconds,
  });
}

/** The person's name, address and password. */
export const credentials = accountRouter({
  get: userProcedure
    .output(credentialsSchema)
    .query(({ ctx }) => getCredentials(ctx.database, ctx.session.user_id)),

  rename: userProcedure
    .input(updateProfileInput)
    .mutation(({ ctx, input }) => renameUser(ctx.database, { user_id: ctx.session.user_id, ...input })),

  change_password: userProcedure.input(changePasswordInput).mutation(({ ctx, input }) => {
    countChange(ctx.session.user_id);
    return changePassword(ctx.database, ctx.session, input);
  }),

  request_confirmation: userProcedure
    .input(noInput)
    .mutation(({ ctx }) => requestConfirmation(ctx, ctx.session.user_id)),

  confirm_email: userProcedure
    .input(confirmEmailInput)
    .mutation(({ ctx, input }) =>
      confirmEmail(ctx.database, { user_id: ctx.session.user_id, token: input.token }),
    ),
});
