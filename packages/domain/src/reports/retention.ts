import { addMonths } from "@findersfee/contract/reports/periods";
import {
  type GetRetention,
  RETENTION_COMMISSIONS,
  type Retention,
} from "@findersfee/contract/reports/retention";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import type { Database } from "@findersfee/database/postgres/connect";
import { readRetention } from "@findersfee/database/reports/retention";
import { notFound } from "../errors.ts";

interface Program {
  database: Database;
  organization: { id: string };
}

/** How many of an affiliate's customers paid again in each later month. Errors: `not_found` for an unknown affiliate. */
export async function getRetention(
  { database, organization }: Program,
  { affiliate_id, months }: GetRetention,
  { most = RETENTION_COMMISSIONS } = {},
): Promise<Retention> {
  if ((await findAffiliate(database, organization.id, affiliate_id)) === null) throw notFound("affiliate");
  const rows = await readRetention(database, organization.id, { affiliate_id, most, months });
  const last = rows[0]?.last_month ?? "";
  const firsts = [...new Set(rows.map(({ first_month }) => first_month))];
  return {
    cohorts: firsts.map((month) => ({
      month,
      paid: monthsBetween(month, last).map(
        (later) => rows.find((row) => row.first_month === month && row.month === later)?.customers ?? 0,
      ),
    })),
    is_cut: rows.some(({ is_cut }) => is_cut),
  };
}

/** Both included. */
function monthsBetween(first: string, last: string): string[] {
  const months = [];
  for (let month = first; month <= last; month = addMonths(`${month}-01`, 1).slice(0, 7)) months.push(month);
  return months;
}
