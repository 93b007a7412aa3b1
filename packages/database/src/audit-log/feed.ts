import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { FEED_HORIZON } from "../webhooks/event-clock.ts";
import { actorName } from "./actor-name.ts";
import { type AuditedFields, RESOURCE_NAME } from "./entries.ts";

/** An audit log entry, or a security event of a member; the columns of the other are null. */
export interface FeedRow {
  type: "change" | "security";
  position: bigint;
  id: string;
  actor: string | null;
  /** The name of the user, key or affiliate; null for other actors, and for users who were deleted. */
  actor_name: string | null;
  created_at: Date;
  resource: string | null;
  resource_id: string | null;
  resource_name: string | null;
  action: string | null;
  before: AuditedFields | null;
  after: AuditedFields | null;
  currency: string | null;
  kind: string | null;
  user_id: string | null;
  user_name: string | null;
  /** Null for people who are no members any more. */
  user_email: string | null;
  detail: string | null;
  ip_address: string | null;
  user_agent: string | null;
  times: number | null;
  last_at: Date | null;
}

/** Begins below all rows. */
export const FEED_BEGINNING: FeedPosition = { position: -1n, id: "00000000-0000-0000-0000-000000000000" };

export interface FeedPosition {
  position: bigint;
  id: string;
}

/** The rows of a table after a position that nothing can precede any more, by an index of position and id. */
const after = (table: string) => `
  ${table}.organization_id = :organization_id::uuid and (${table}.position, ${table}.id) > (:position::bigint, :id::uuid)
    and ${table}.position < ${FEED_HORIZON} and ${table}.id >= :from_id::uuid
  order by ${table}.position, ${table}.id limit :limit::int`;

const LIST = statement<FeedRow, "organization_id" | "position" | "id" | "from_id" | "limit">(`
  with page as (
    select * from (
      (select 'change' as type, entry.position, entry.id, entry.actor, entry.created_at, entry.resource, entry.resource_id,
        entry.action, entry.before, entry.after, entry.currency, null as kind, null::uuid as user_id, null as detail,
        null as ip_address, null as user_agent, null::integer as times, null::timestamptz as last_at
      from audit_log_entries entry where ${after("entry")})
      union all
      (select 'security', seen.position, seen.id, event.actor, event.created_at, null, null, null, null, null, null,
        event.kind, event.user_id, event.detail, event.ip_address, event.user_agent, event.times, event.last_at
      from member_security_events seen join security_events event on event.id = seen.id where ${after("seen")})
    ) feed
    order by position, id limit :limit::int
  )
  select page.*, ${actorName({ organization_id: ":organization_id::uuid", actor: "page.actor" })} as actor_name,
    ${RESOURCE_NAME} as resource_name, person.name as user_name,
    case when member.user_id is not null then person.email end as user_email
  from page
  left join users person on person.id = page.user_id
  left join members member on member.organization_id = :organization_id::uuid and member.user_id = page.user_id
  order by page.position, page.id`);

/**
 * Returns the audit log and the security events of members, in the order in which their transactions became
 * visible. A security event gets a new position when it counts another failure. Rows that an older
 * transaction could still precede are left for a later call, so a reader that continues after the last row
 * misses none. It is one statement, because both tables need the same horizon.
 */
export async function listAuditLogFeed(
  sql: Connection,
  organizationId: string,
  { after: { position, id }, from_id, limit }: { after: FeedPosition; from_id: string; limit: number },
): Promise<FeedRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, position, id, from_id, limit });
}
