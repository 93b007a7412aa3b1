import { CAMPAIGNS, SUMS, TOTALS } from "./sources.ts";

/* Totals are added to rows of a generation, in SQL. Names of parameters and columns are SQL, too. */

/** The sums of rows with `affiliate_id`, `counted_at`, `currency` and totals, by full hours in a time zone. */
export function hoursOf(rows: string, time_zone: string): string {
  return `
    select affiliate_id, currency, date_trunc('hour', counted_at, ${time_zone}) as hour, ${SUMS}
    from (${rows}) as counted group by 1, 2, 3`;
}

/** The sums of affiliates' hours, each with its campaign now. */
export function withCampaigns(hours: string): string {
  return `select campaign_id, hour, currency, ${TOTALS.join(", ")} from ${hours} join ${CAMPAIGNS} on id = affiliate_id`;
}

/** The sums of affiliates' hours, each with its day in the time zone. */
export function withDays(hours: string, time_zone: string): string {
  return `select affiliate_id, (hour at time zone ${time_zone})::date as day, currency, ${TOTALS.join(", ")} from ${hours}`;
}

/** Adds sums of hours (`hour`, `campaign_id`, `currency` and totals). */
export function addHours(generation: string, rows: string): string {
  return add("hourly_totals", generation, { key: "hour, campaign_id", rows });
}

/** Adds sums of days (`day`, `affiliate_id`, `currency` and totals). */
export function addDays(generation: string, rows: string): string {
  return add("daily_totals", generation, { key: "day, affiliate_id", rows });
}

function add(table: string, generation: string, { key, rows }: { key: string; rows: string }): string {
  const added = TOTALS.map((total) => `${total} = known.${total} + excluded.${total}`).join(", ");
  return `
    insert into ${table} as known (organization_id, generation, currency, ${key}, ${TOTALS.join(", ")})
    select :organization_id::uuid, ${generation}, currency, ${key}, ${SUMS} from (${rows}) as line
    group by currency, ${key}
    on conflict (organization_id, generation, currency, ${key}) do update set ${added}`;
}
