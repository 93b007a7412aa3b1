import type { Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/*
 * Ended deliveries by the hour of their events: docs/totals.md. A delivery that ends later than half an hour after its event's
 * hour adds a difference, and an hour is counted once it is over for an hour.
 */

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** Twenty minutes less than the statement has, in which the clocks of the worker and the database may differ. */
const LATE_MILLISECONDS = 10 * 60 * 1000;
/** The hexadecimal digits of the time in a UUIDv7. */
const TIME_DIGITS = 12;

/** Whether an event's hour may have been counted at some time, so that a delivery that ends then adds a difference. */
export function isLate(event_id: string, at: Date): boolean {
  const event_at = Number.parseInt(event_id.replace("-", "").slice(0, TIME_DIGITS), 16);
  const hour_end = (Math.floor(event_at / HOUR_MILLISECONDS) + 1) * HOUR_MILLISECONDS;
  return at.getTime() >= hour_end + LATE_MILLISECONDS;
}

/**
 * SQL: adds to delivery_changes those of `rows` (`organization_id`, `endpoint_id`, `event_id`, `ended`) that ended so late that
 * their hour may be counted already.
 */
export function addLateHours(rows: string): string {
  return `
    insert into delivery_changes (organization_id, hour, endpoint_id, delivered, failed)
    select organization_id, date_trunc('hour', time_of_id(event_id), 'UTC') as hour, endpoint_id,
      count(*) filter (where ended = 'delivered'), count(*) filter (where ended <> 'delivered')
    from ${rows}
    where ended is not null and event_id < (select first_id_of(date_trunc('hour', now() - interval '30 minutes', 'UTC')))
    group by organization_id, hour, endpoint_id`;
}

export interface CountedHour {
  from: Date;
  until: Date;
  /** Hours before are deleted. */
  kept_from: Date;
}

const counted = (states: string) => `(
      select count(*) from attempts
      where organization_id = :organization_id::uuid and endpoint_id = endpoint.id and ended in (${states})
        and event_id >= first_id_of(:from::timestamptz) and event_id < first_id_of(:until::timestamptz)
        and attempted_at >= :from::timestamptz - interval '1 hour')`;

const COUNT = statement<object, "organization_id" | keyof CountedHour>(`
  with change as (
    delete from delivery_changes where organization_id = :organization_id::uuid and hour < :until::timestamptz
    returning *
  ),
  old as (
    delete from delivery_hours where organization_id = :organization_id::uuid and hour < :kept_from::timestamptz
  ),
  hours as (
    insert into delivery_hours as known (organization_id, hour, endpoint_id, delivered, failed)
    select :organization_id::uuid, hour, endpoint_id, sum(delivered)::bigint, sum(failed)::bigint
    from (
      select :from::timestamptz as hour, endpoint.id as endpoint_id, ${counted("'delivered'")} as delivered,
        ${counted("'exhausted', 'canceled'")} as failed
      from endpoints endpoint where organization_id = :organization_id::uuid
      union all
      select hour, endpoint_id, delivered, failed from change
      where hour >= :kept_from::timestamptz and hour < :from::timestamptz
    ) as line
    group by hour, endpoint_id having sum(delivered) <> 0 or sum(failed) <> 0
    on conflict (organization_id, hour, endpoint_id) do update
    set delivered = known.delivered + excluded.delivered, failed = known.failed + excluded.failed
  )
  update total_seals set deliveries_until = :until::timestamptz where organization_id = :organization_id::uuid`);

/**
 * Counts the deliveries of an hour, adds the differences of earlier ones, and deletes old ones. The seal of the
 * organization's totals is locked by an earlier statement, and `from` is the end of the counted hours.
 */
export async function countDeliveryHour(
  sql: Transaction,
  organizationId: string,
  hour: CountedHour,
): Promise<void> {
  await COUNT.run(sql, { organization_id: organizationId, ...hour });
}
