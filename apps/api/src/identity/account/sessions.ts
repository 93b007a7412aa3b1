import {
  endedSessionsSchema,
  endSessionInput,
  userSessionSchema,
} from "@findersfee/contract/identity/credentials";
import { noInput } from "@findersfee/contract/identity/sign-in";
import {
  endOtherSessions,
  endUserSession,
  listUserSessions,
} from "@findersfee/domain/identity/accounts/sessions";
import { z } from "zod";
import { accountRouter, userProcedure } from "./trpc.ts";

/** The browsers in which the person is signed in. */
export const sessions = accountRouter({
  list: userProcedure
    .output(z.array(userSessionSchema))
    .query(({ ctx }) => listUserSessions(ctx.database, ctx.session)),

  end: userProcedure
    .input(endSessionInput)
    .mutation(({ ctx, input }) => endUserSession(ctx, ctx.session, input.id)),

  end_others: userProcedure
    .input(noInput)
    .output(endedSessionsSchema)
    .mutation(async ({ ctx }) => ({ ended: await endOtherSessions(ctx, ctx.session) })),
});
