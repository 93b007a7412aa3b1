import {
  changeMemberInput,
  memberSchema,
  organizationSchema,
  removeMemberInput,
  updateOrganizationInput,
} from "@findersfee/contract/members";
import { changeMember, removeMember } from "@findersfee/domain/members/change";
import { listMembers } from "@findersfee/domain/members/list";
import { changeOrganization } from "@findersfee/domain/organizations/change";
import { roleOf } from "@findersfee/domain/principal";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc.ts";

/** The people of the organization. Owners manage all of them, admins all but owners. */
export const members = router({
  list: viewProcedure.output(z.array(memberSchema)).query(({ ctx }) => listMembers(ctx.domain)),

  change: adminProcedure
    .input(changeMemberInput)
    .mutation(({ ctx, input }) => changeMember(ctx.domain, roleOf(ctx.principal), input)),

  remove: adminProcedure
    .input(removeMemberInput)
    .mutation(({ ctx, input }) => removeMember(ctx.domain, roleOf(ctx.principal), input.user_id)),
});

export const organization = router({
  update: adminProcedure
    .input(updateOrganizationInput)
    .output(organizationSchema)
    .mutation(({ ctx, input }) => changeOrganization(ctx.domain, input)),
});
