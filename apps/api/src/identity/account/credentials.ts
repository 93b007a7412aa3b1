import {
  changePasswordInput,
  confirmEmailInput,
  confirmPersonInput,
  credentialsSchema,
  updateProfileInput,
} from "@findersfee/contract/identity/credentials";
import { noInput } from "@findersfee/contract/identity/sign-in";
import { DomainError } from "@findersfee/domain/errors";
import { changePassword } from "@findersfee/domain/identity/accounts/change-password";
import { confirmEmail, requestConfirmation } from "@findersfee/domain/identity/accounts/confirm-email";
import { getCredentials, renameUser } from "@findersfee/domain/identity/accounts/profile";
import { confirmPerson } from "@findersfee/domain/identity/second-factor/confirm-person";
import { AddressLimiter } from "../../admission/address-limiter.ts";
import { accountRouter, userProcedure } from "./trpc.ts";

/** Per user, minute and process: each one hashes passwords, and can be a guess of somebody with an open browser. */
const typed_passwords = new AddressLimiter(10);
/** Mails per user, minute and process. */
const confirmations = new AddressLimiter(3);

function count(limiter: AddressLimiter, user_id: string): void {
  if (!limiter.count(user_id)) return;
  throw new DomainError("rate_limited", {
    limit: "sign_ins",
    message: "Too many attempts. Try again in a minute.",
    retry_after_seconds: limiter.reset_seconds,
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
    count(typed_passwords, ctx.session.user_id);
    return changePassword(ctx.database, ctx.session, input, ctx.browser);
  }),

  /** For changes that answer `sign_in_again`. */
  confirm: userProcedure.input(confirmPersonInput).mutation(({ ctx, input }) => {
    count(typed_passwords, ctx.session.user_id);
    return confirmPerson(ctx, ctx.session, { ...input, browser: ctx.browser });
  }),

  request_confirmation: userProcedure.input(noInput).mutation(({ ctx }) => {
    count(confirmations, ctx.session.user_id);
    return requestConfirmation(ctx, ctx.session.user_id);
  }),

  confirm_email: userProcedure
    .input(confirmEmailInput)
    .mutation(({ ctx, input }) =>
      confirmEmail(ctx.database, { user_id: ctx.session.user_id, token: input.token }),
    ),
});
