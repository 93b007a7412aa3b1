import {
  changeMemberInput,
  memberSchema,
  organizationSchema,
  removeMemberInput,
  updateOrganizationInput,
} from "@findersfee/contract/identity/members";
import { changeMember, removeMember } from "@findersfee/domain/identity/members/change";
import { listMembers } from "@findersfee/domain/identity/members/list";
import { changeOrganization } from "@findersfee/domain/organizations/change";
import { getOrganization } from "@findersfee/domain/organizations/get";
import { z } from "zod";
import { adminProcedure, peopleProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** The people of the organization. Owners manage all of them, admins all but owners. */
export const members = router({
  list: viewProcedure.output(z.array(memberSchema)).query(({ ctx }) => listMembers(ctx.domain)),

  change: peopleProcedure
    .input(changeMemberInput)
    .mutation(({ ctx, input }) => changeMember(ctx.domain, input)),

  remove: peopleProcedure
    .input(removeMemberInput)
    .mutation(({ ctx, input }) => removeMember(ctx.domain, input.user_id)),
});

export const organization = router({
  get: viewProcedure.output(organizationSchema).query(({ ctx }) => getOrganization(ctx.domain)),

  update: adminProcedure
    .input(updateOrganizationInput)
    .output(organizationSchema)
    .mutation(({ ctx, input }) => changeOrganization(ctx.domain, input)),
});
