import {
  addPasskeyInput,
  passkeyIdInput,
  passkeyOptionsSchema,
  passkeySchema,
  renamePasskeyInput,
} from "@findersfee/contract/identity/credentials";
import { noInput, passkeySignInInput } from "@findersfee/contract/identity/sign-in";
import { confirmWithPasskey, passkeyConfirmationOptions } from "@findersfee/domain/identity/passkeys/confirm";
import { deletePasskey, listPasskeys, renamePasskey } from "@findersfee/domain/identity/passkeys/manage";
import { addPasskey, passkeyRegistrationOptions } from "@findersfee/domain/identity/passkeys/register";
import { relyingPartyOf } from "@findersfee/domain/identity/passkeys/relying-party";
import { z } from "zod";
import type { AccountContext } from "../../context.ts";
import { accountRouter, userProcedure } from "./trpc.ts";

/** The person's passkeys. */
export const passkeys = accountRouter({
  list: userProcedure
    .output(z.array(passkeySchema))
    .query(({ ctx }) => listPasskeys(ctx.database, ctx.session)),

  /** For changes that answer `sign_in_again`: the options for `navigator.credentials.get`. */
  confirmation_options: userProcedure
    .input(noInput)
    .output(passkeyOptionsSchema)
    .mutation(async ({ ctx }) => ({ ...(await passkeyConfirmationOptions(withParty(ctx), ctx.session)) })),

  /** In place of the password and the code. */
  confirm: userProcedure
    .input(passkeySignInInput)
    .mutation(({ ctx, input }) => confirmWithPasskey(withParty(ctx), ctx.session, input.credential)),

  options: userProcedure
    .input(noInput)
    .output(passkeyOptionsSchema)
    .mutation(async ({ ctx }) => ({ ...(await passkeyRegistrationOptions(withParty(ctx), ctx.session)) })),

  add: userProcedure
    .input(addPasskeyInput)
    .output(passkeySchema)
    .mutation(({ ctx, input }) => addPasskey(withParty(ctx), ctx.session, input)),

  rename: userProcedure
    .input(renamePasskeyInput)
    .output(passkeySchema)
    .mutation(({ ctx, input }) => renamePasskey(ctx.database, ctx.session, input)),

  delete: userProcedure
    .input(passkeyIdInput)
    .mutation(({ ctx, input }) => deletePasskey(ctx, ctx.session, input.id)),
});

function withParty({ database, secrets_key, browser, dashboard_url }: AccountContext) {
  return { database, secrets_key, browser, party: relyingPartyOf(dashboard_url) };
}
