/* Clicks of a year, as if the service had recorded them one by one. */
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { CLICKS, makePartitions } from "@findersfee/database/postgres/partitions";
import type { Program } from "../program.ts";

const YEAR_MILLISECONDS = 365 * 24 * 60 * 60 * 1000;
const MONTHS = 13;

/** Adds clicks, spread evenly over the affiliates and the past year. The ids are UUIDv7 of their times. */
export async function fillClicks(
  database: Database,
  { organization_id, affiliate_ids }: Program,
  clicks: number,
): Promise<void> {
  const now = new Date();
  for (let month = 0; month < MONTHS; month++) {
    const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - month, 1));
    await makePartitions(database, CLICKS, { ahead: 0, now: then });
  }
  const step_milliseconds = YEAR_MILLISECONDS / clicks;
  await transaction(
    database,
    (sql) => sql`
      insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at)
      select ${organization_id}::uuid,
        (lpad(to_hex((extract(epoch from clicked_at) * 1000)::bigint), 12, '0')
          || '7000' || '8' || left(md5(number::text), 15))::uuid,
        (${affiliate_ids}::uuid[])[1 + number % ${affiliate_ids.length}::int], 'jane',
        decode(md5((number % 1000003)::text), 'hex'), clicked_at
      from (
        select number, date_trunc('milliseconds', ${now}::timestamptz
          - (${clicks}::int - number) * ${step_milliseconds}::float8 * interval '1 millisecond') as clicked_at
        from generate_series(1, ${clicks}::int) as number
      ) as counted`,
  );
}
