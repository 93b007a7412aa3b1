import {
  securityPolicySchema,
  updateSecurityPolicyInput,
} from "@findersfee/contract/identity/security-policies";
import { DomainError } from "@findersfee/domain/errors";
import { updateSecurityPolicy } from "@findersfee/domain/identity/policies/update";
import { getSecurityPolicy } from "@findersfee/domain/identity/policies/view";
import { adminProcedure, ownerProcedure, router } from "../trpc/trpc.ts";

/** The owners' requirements for everybody in the organization. */
export const security_policy = router({
  get: adminProcedure.output(securityPolicySchema).query(({ ctx }) => getSecurityPolicy(ctx.domain)),

  /** With a recent confirmation of the owner. */
  update: ownerProcedure
    .input(updateSecurityPolicyInput)
    .output(securityPolicySchema)
    .mutation(({ ctx, input }) => {
      const { principal } = ctx;
      if (principal.kind !== "staff_session") throw new DomainError("insufficient_scope");
      const { user_id, session_id } = principal;
      const author = { person: { user_id, session_id }, browser: ctx.readBrowser() };
      return updateSecurityPolicy(ctx.domain, author, input);
    }),
});
