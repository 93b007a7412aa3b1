import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { NOTIFIED } from "./notifications.ts";
import { SOMETHING_WAITS } from "./waiting.ts";

/** The hour, in the organization's time zone, from which on its digests are written. */
const DIGEST_HOUR = 8;

interface WrittenRow {
  /** The organizations that got today's digests now, even if no member needs one. */
  organizations: number;
  /** Those with at least one mail. */
  mailed: string[];
}

const INSERT = statement<WrittenRow, "now" | "limit">(`
  with due as (
    select organization.id, local.at::date as day
    from organizations organization
    cross join lateral (select :now::timestamptz at time zone organization.time_zone as at) as local
    left join digest_days written on written.organization_id = organization.id
    where organization.test_of is null and extract(hour from local.at) >= ${DIGEST_HOUR}
      and (written.day is null or written.day < local.at::date)
    order by organization.id limit :limit::int
  ), today as (
    insert into digest_days as written (organization_id, day)
    select id, day from due order by id
    on conflict (organization_id) do update set day = excluded.day where written.day < excluded.day
    returning organization_id, day
  ), mail as (
    insert into mails (organization_id, kind, about, recipient)
    select distinct notified.organization_id, 'daily_digest', today.day::text, notified.email
    from today
    join ${NOTIFIED} as notified
      on notified.organization_id = today.organization_id and notified.frequency = 'daily'
    where ${SOMETHING_WAITS}
    on conflict (organization_id, kind, about, recipient) do nothing
    returning organization_id
  )
  select (select count(*)::int from due) as organizations,
    array(select distinct organization_id::text from mail) as mailed`);

/**
 * Writes the digests of up to `limit` organizations in which the morning has begun, once a day, and later if
 * no worker ran in the morning. A member gets one if an item waits of a topic that the member wants daily.
 */
export async function insertDigests(
  sql: Connection,
  { now, limit }: { now: Date; limit: number },
): Promise<WrittenRow> {
  const [row] = await INSERT.run(sql, { now, limit });
  return row ?? { organizations: 0, mailed: [] };
}
