import {
  listMemberSecurityEventsInput,
  memberSecurityEventPageSchema,
} from "@findersfee/contract/identity/security-events";
import { listMemberSecurityEvents } from "@findersfee/domain/identity/accounts/list-security-events";
import { ownerProcedure, router } from "../trpc/trpc.ts";

/** The security events of members' accounts. */
export const security_events = router({
  list: ownerProcedure
    .input(listMemberSecurityEventsInput)
    .output(memberSecurityEventPageSchema)
    .query(({ ctx, input }) => listMemberSecurityEvents(ctx.domain, input)),
});
