import {
  endedSessionsSchema,
  endSessionInput,
  userSessionSchema,
} from "@findersfee/contract/identity/credentials";
import { noInput } from "@findersfee/contract/identity/sign-in";
import {
  endOtherPortalSessions,
  endPortalSession,
  listPortalSessions,
} from "@findersfee/domain/portal/sessions";
import { z } from "zod";
import { addressProcedure, portalRouter } from "./trpc.ts";

/** The browsers in which the affiliate is signed in. */
export const sessions = portalRouter({
  list: addressProcedure
    .output(z.array(userSessionSchema))
    .query(({ ctx }) => listPortalSessions(ctx.database, ctx.session)),

  end: addressProcedure
    .input(endSessionInput)
    .mutation(({ ctx, input }) => endPortalSession(ctx.database, ctx.session, input.id)),

  end_others: addressProcedure
    .input(noInput)
    .output(endedSessionsSchema)
    .mutation(async ({ ctx }) => ({ ended: await endOtherPortalSessions(ctx.database, ctx.session) })),
});
