import {
  confirmSecondFactorInput,
  recoveryCodesSchema,
  secondFactorSecretSchema,
} from "@findersfee/contract/identity/credentials";
import { noInput } from "@findersfee/contract/identity/sign-in";
import {
  confirmSecondFactor,
  removeSecondFactor,
  replaceCodes,
  startSecondFactor,
} from "@findersfee/domain/identity/second-factor/set-up";
import { accountRouter, userProcedure } from "./trpc.ts";

/** The person's authenticator app and recovery codes. */
export const second_factor = accountRouter({
  start: userProcedure
    .input(noInput)
    .output(secondFactorSecretSchema)
    .mutation(({ ctx }) => startSecondFactor(ctx, ctx.session)),

  confirm: userProcedure
    .input(confirmSecondFactorInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => confirmSecondFactor(ctx, ctx.session, input)),

  replace_codes: userProcedure
    .input(noInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx }) => replaceCodes(ctx, ctx.session)),

  remove: userProcedure.input(noInput).mutation(({ ctx }) => removeSecondFactor(ctx, ctx.session)),
});
