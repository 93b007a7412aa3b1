import {
  listSecurityEventsInput,
  securityEventPageSchema,
} from "@findersfee/contract/identity/security-events";
import { listSecurityEvents } from "@findersfee/domain/identity/accounts/list-security-events";
import { accountRouter, userProcedure } from "./trpc.ts";

/** The security events of the person's account. */
export const security_events = accountRouter({
  list: userProcedure
    .input(listSecurityEventsInput)
    .output(securityEventPageSchema)
    .query(({ ctx, input }) => listSecurityEvents(ctx.database, ctx.session, input)),
});
