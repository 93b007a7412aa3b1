import type { Connection } from "./connect.ts";

export interface MemberRow {
  organization_id: string;
  user_id: string;
  role: "owner" | "admin" | "viewer";
  created_at: Date;
}

/** An organization, and a user's role in it. */
export interface UserOrganizationRow extends Pick<MemberRow, "role"> {
  id: string;
  slug: string;
  name: string;
  currency: string;
  time_zone: string;
}

export async function insertMember(sql: Connection, member: MemberRow): Promise<void> {
  await sql`insert into members ${sql({ ...member })}`;
}

/** The organizations of a user, by name. A person joins each one, so there are few. */
export async function listUserOrganizations(sql: Connection, userId: string): Promise<UserOrganizationRow[]> {
  return await sql<UserOrganizationRow[]>`
    select organization.id, organization.slug, organization.name, organization.currency,
      organization.time_zone, member.role
    from members member
    join organizations organization on organization.id = member.organization_id
    where member.user_id = ${userId}
    order by organization.name, organization.id`;
}
