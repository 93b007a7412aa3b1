import type { Connection } from "../postgres/connect.ts";

/** The settings and the run that decide when an organization's next run starts, and which month it is for. */
export interface PayoutCalendarRow {
  time_zone: string;
  payout_day: number | null;
  /** Null: no payout day. */
  payout_day_since: Date | null;
  /** The period of the last month's run, finished or not; null: there is none. */
  last_period: string | null;
}

/** SQL: the columns of `PayoutCalendarRow`, of a row `organization`. */
export const PAYOUT_CALENDAR = `organization.time_zone, organization.payout_day, organization.payout_day_since,
  (select max(period) from payout_runs run
    where run.organization_id = organization.id and run.number = 1) as last_period`;

export async function findPayoutCalendar(
  sql: Connection,
  organizationId: string,
): Promise<PayoutCalendarRow> {
  const [row] = await sql<PayoutCalendarRow[]>`
    select ${sql.unsafe(PAYOUT_CALENDAR)} from organizations organization where id = ${organizationId}`;
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  return row;
}

/** Returns the calendars of organizations that have a payout day and no run of a month yet. */
export async function listPayoutCalendars(
  sql: Connection,
  { without_run_of }: { without_run_of: string },
): Promise<(PayoutCalendarRow & { id: string })[]> {
  return await sql<(PayoutCalendarRow & { id: string })[]>`
    select id, ${sql.unsafe(PAYOUT_CALENDAR)} from organizations organization
    where payout_day is not null and not exists (
      select from payout_runs run
      where run.organization_id = organization.id and run.period >= ${without_run_of} and run.number = 1)
    order by id`;
}
