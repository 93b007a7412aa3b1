import { answerInvitationInput } from "@findersfee/contract/portal/invitations";
import { acceptInvitation, disownInvitation } from "@findersfee/domain/portal/agreements";
import { addressProcedure, portalRouter } from "./trpc.ts";

/** The answers to organizations that added the person as an affiliate. Only the person itself gives them. */
export const invitations = portalRouter({
  accept: addressProcedure
    .input(answerInvitationInput)
    .mutation(({ ctx, input }) => acceptInvitation(ctx, ctx.session, input)),

  disown: addressProcedure
    .input(answerInvitationInput)
    .mutation(({ ctx, input }) => disownInvitation(ctx, ctx.session, input)),
});
