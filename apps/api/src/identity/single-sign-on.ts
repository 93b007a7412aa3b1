import { noInput } from "@findersfee/contract/identity/sign-in";
import {
  requireSingleSignOnInput,
  saveSignInProviderInput,
  signInDomainInput,
  singleSignOnSchema,
} from "@findersfee/contract/identity/single-sign-on";
import {
  addSignInDomain,
  checkSignInDomain,
  removeSignInDomain,
} from "@findersfee/domain/identity/single-sign-on/domains";
import {
  getSingleSignOn,
  removeSignInProvider,
  saveSignInProvider,
  setSingleSignOnRequired,
} from "@findersfee/domain/identity/single-sign-on/settings";
import { ownerProcedure, router } from "../trpc/trpc.ts";
import { callbackUrl } from "./callback-url.ts";

/** Single sign-on of the organization's members. */
export const single_sign_on = router({
  get: ownerProcedure
    .output(singleSignOnSchema)
    .query(({ ctx }) => getSingleSignOn(ctx.domain, callbackUrl(ctx.dashboard_url))),

  save: ownerProcedure
    .input(saveSignInProviderInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) => {
      const callback_url = callbackUrl(ctx.dashboard_url);
      return saveSignInProvider(ctx.domain, { calls: ctx.provider_calls, callback_url }, input);
    }),

  require: ownerProcedure
    .input(requireSingleSignOnInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) =>
      setSingleSignOnRequired(ctx.domain, callbackUrl(ctx.dashboard_url), input.is_required),
    ),

  remove: ownerProcedure
    .input(noInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx }) => removeSignInProvider(ctx.domain, callbackUrl(ctx.dashboard_url))),

  add_domain: ownerProcedure
    .input(signInDomainInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) =>
      addSignInDomain(ctx.domain, { ...input, callback_url: callbackUrl(ctx.dashboard_url) }),
    ),

  check_domain: ownerProcedure
    .input(signInDomainInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) => {
      const place = { ...input, callback_url: callbackUrl(ctx.dashboard_url) };
      return checkSignInDomain(ctx.domain, { ...place, look: ctx.lookAtDomainRecord });
    }),

  remove_domain: ownerProcedure
    .input(signInDomainInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) =>
      removeSignInDomain(ctx.domain, { ...input, callback_url: callbackUrl(ctx.dashboard_url) }),
    ),
});
