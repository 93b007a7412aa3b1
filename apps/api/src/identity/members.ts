import { endedSessionsSchema } from "@findersfee/contract/identity/credentials";
import {
  changeMemberInput,
  endMemberSessionsInput,
  memberAccessInput,
  memberAccessSchema,
  memberIdInput,
  memberSchema,
  memberSessionSchema,
  organizationSchema,
  removeMemberInput,
  updateOrganizationInput,
} from "@findersfee/contract/identity/members";
import { listMembers } from "@findersfee/domain/identity/members/list";
import { getMemberAccess } from "@findersfee/domain/identity/membership/access";
import { changeMember, removeMember } from "@findersfee/domain/identity/membership/change";
import { endMemberSessions, listMemberSessions } from "@findersfee/domain/identity/membership/sessions";
import { changeOrganization } from "@findersfee/domain/organizations/change";
import { getOrganization } from "@findersfee/domain/organizations/get";
import { z } from "zod";
import { adminProcedure, ownerProcedure, peopleProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** The people of the organization. Owners manage all of them, admins all but owners. */
export const members = router({
  list: viewProcedure.output(z.array(memberSchema)).query(({ ctx }) => listMembers(ctx.domain)),

  /** Owners see and end the sessions of all members. */
  sessions: ownerProcedure
    .input(memberIdInput)
    .output(z.array(memberSessionSchema))
    .query(({ ctx, input }) => listMemberSessions(ctx.domain, input.user_id)),

  end_sessions: ownerProcedure
    .input(endMemberSessionsInput)
    .output(endedSessionsSchema)
    .mutation(({ ctx, input }) => endMemberSessions(ctx.domain, input)),

  /** The access that ends with a removal or a role, before it is confirmed. */
  access: peopleProcedure
    .input(memberAccessInput)
    .output(memberAccessSchema)
    .query(({ ctx, input }) => getMemberAccess(ctx.domain, input)),

  change: peopleProcedure
    .input(changeMemberInput)
    .mutation(({ ctx, input }) => changeMember(ctx.domain, input)),

  remove: peopleProcedure
    .input(removeMemberInput)
    .mutation(({ ctx, input }) => removeMember(ctx.domain, input)),
});

export const organization = router({
  get: viewProcedure.output(organizationSchema).query(({ ctx }) => getOrganization(ctx.domain)),

  update: adminProcedure
    .input(updateOrganizationInput)
    .output(organizationSchema)
    .mutation(({ ctx, input }) => changeOrganization(ctx.domain, input)),
});
