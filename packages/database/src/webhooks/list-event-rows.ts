import type { Connection } from "../postgres/connect.ts";

/** An event with the number of its deliveries in each state. */
export interface EventListRow {
  id: string;
  type: string;
  body: string;
  created_at: Date;
  pending: number;
  delivered: number;
  exhausted: number;
  canceled: number;
}

interface EventRowFilter {
  type?: string | undefined;
  from_id: string;
  until_id: string;
  below: string | null;
  not_before: Date;
  limit: number;
}

/** Counts events without tests, up to `limit`. */
export async function countEventRows(
  sql: Connection,
  organizationId: string,
  { type, from_id, until_id, not_before, limit }: Omit<EventRowFilter, "below">,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from events
      where organization_id = ${organizationId} and not test and created_at >= ${not_before}
        and id >= ${from_id} and id <= ${until_id} ${type === undefined ? sql`` : sql`and type = ${type}`}
      limit ${limit}) as event`;
  return row.count;
}

/**
 * Returns events without tests, newest first. Pending deliveries are counted for the whole page by endpoint, as the
 * queue's index has them.
 */
export async function listEventRows(
  sql: Connection,
  organizationId: string,
  { type, from_id, until_id, below, not_before, limit }: EventRowFilter,
): Promise<EventListRow[]> {
  return await sql<EventListRow[]>`
    with page as materialized (
      select id, type, body, created_at from events
      where organization_id = ${organizationId} and not test and created_at >= ${not_before}
        and id >= ${from_id} and id <= ${until_id}
        ${type === undefined ? sql`` : sql`and type = ${type}`}
        ${below === null ? sql`` : sql`and id < ${below}`}
      order by id desc limit ${limit}
    ),
    waiting as materialized (
      select first.event_id, count(*)::int as count from endpoints endpoint
      cross join lateral (
        select event_id from pending_deliveries
        where organization_id = ${organizationId} and endpoint_id = endpoint.id
          and event_id >= (select id from page order by id limit 1)
          and event_id <= (select id from page order by id desc limit 1)
      ) as first
      where endpoint.organization_id = ${organizationId} and first.event_id in (select id from page)
      group by first.event_id
    )
    select page.id, page.type, page.body, page.created_at, coalesce(waiting.count, 0) as pending,
      ended.delivered, ended.exhausted, ended.canceled
    from page
    left join waiting on waiting.event_id = page.id
    cross join lateral (
      select (count(*) filter (where ended = 'delivered'))::int as delivered,
        (count(*) filter (where ended = 'exhausted'))::int as exhausted,
        (count(*) filter (where ended = 'canceled'))::int as canceled
      from attempts
      where organization_id = ${organizationId} and event_id = page.id and ended is not null
    ) as ended
    order by page.id desc`;
}
