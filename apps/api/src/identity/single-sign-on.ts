import { noInput } from "@findersfee/contract/identity/sign-in";
import {
  requireSingleSignOnInput,
  saveSignInProviderInput,
  signInDomainInput,
  singleSignOnSchema,
} from "@findersfee/contract/identity/single-sign-on";
import type { Sender } from "@findersfee/domain/identity/single-sign-on/change";
import { checkSignInDomain } from "@findersfee/domain/identity/single-sign-on/check-domain";
import { addSignInDomain, removeSignInDomain } from "@findersfee/domain/identity/single-sign-on/domains";
import {
  getSingleSignOn,
  removeSignInProvider,
  saveSignInProvider,
  setSingleSignOnRequired,
} from "@findersfee/domain/identity/single-sign-on/settings";
import type { RequestContext } from "../context.ts";
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
    .mutation(({ ctx, input }) =>
      saveSignInProvider(ctx.domain, { ...senderOf(ctx), calls: ctx.provider_calls }, input),
    ),

  require: ownerProcedure
    .input(requireSingleSignOnInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) => setSingleSignOnRequired(ctx.domain, senderOf(ctx), input.is_required)),

  remove: ownerProcedure
    .input(noInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx }) => removeSignInProvider(ctx.domain, senderOf(ctx))),

  add_domain: ownerProcedure
    .input(signInDomainInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) => addSignInDomain(ctx.domain, senderOf(ctx), input.domain)),

  check_domain: ownerProcedure
    .input(signInDomainInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) => {
      const callback_url = callbackUrl(ctx.dashboard_url);
      return checkSignInDomain(ctx.domain, { ...input, callback_url, look: ctx.lookAtHostRecord });
    }),

  remove_domain: ownerProcedure
    .input(signInDomainInput)
    .output(singleSignOnSchema)
    .mutation(({ ctx, input }) => removeSignInDomain(ctx.domain, senderOf(ctx), input.domain)),
});

function senderOf({ principal, readBrowser, dashboard_url }: RequestContext): Sender {
  if (principal.kind !== "staff_session") throw new Error("keys do not change single sign-on");
  const { session_id } = principal;
  return { session_id, browser: readBrowser(), callback_url: callbackUrl(dashboard_url) };
}
