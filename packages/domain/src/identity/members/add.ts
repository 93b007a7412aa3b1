import { insertMember, type MemberWithEmailRow } from "@findersfee/database/identity/members";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import { memberFields } from "./fields.ts";

/** Writes a new member in the transaction of the operation that adds one. */
export async function addMember(sql: Connection, author: Author, member: MemberWithEmailRow): Promise<void> {
  const { user_id, role } = member;
  const organization_id = author.organization.id;
  await insertMember(sql, { organization_id, user_id, role, created_at: new Date() });
  await writeAuditEntry(sql, author, {
    resource: "member",
    id: user_id,
    action: "created",
    before: null,
    after: memberFields(member),
  });
}
