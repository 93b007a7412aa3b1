import {
  createdInvitationSchema,
  createInvitationInput,
  invitationIdInput,
  invitationSchema,
} from "@findersfee/contract/identity/invitations";
import { createInvitation } from "@findersfee/domain/identity/invitations/create";
import { listInvitations } from "@findersfee/domain/identity/invitations/list";
import { revokeInvitation } from "@findersfee/domain/identity/invitations/revoke";
import { z } from "zod";
import { peopleProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** Invitations to the organization. `/auth/invitations` serves the pages behind their links. */
export const invitations = router({
  list: viewProcedure.output(z.array(invitationSchema)).query(({ ctx }) => listInvitations(ctx.domain)),

  create: peopleProcedure
    .input(createInvitationInput)
    .output(createdInvitationSchema)
    .mutation(({ ctx, input }) => {
      const { dashboard_url, public_url, endpoint_policy } = ctx;
      const inviting = {
        secrets_key: endpoint_policy.secrets_key,
        dashboard_url,
        can_mail: public_url !== null,
      };
      return createInvitation(ctx.domain, inviting, input);
    }),

  revoke: peopleProcedure
    .input(invitationIdInput)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.domain, input.id)),
});
