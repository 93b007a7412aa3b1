import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import type { Connection } from "@findersfee/database/postgres/connect";
import { invalidField } from "../../errors.ts";

/** The chosen affiliates of a run, each once, in the order of their ids; null: all. */
export function chosenOf(affiliate_ids: readonly string[] | undefined): string[] | null {
  if (affiliate_ids === undefined) return null;
  return [...new Set(affiliate_ids.map((id) => id.toLowerCase()))].sort();
}

/** Errors: `invalid_request` for affiliates that do not exist. */
export async function requireChosen(
  sql: Connection,
  organization_id: string,
  affiliate_ids: readonly string[] | null,
): Promise<void> {
  if (affiliate_ids === null) return;
  const found = await findAffiliates(sql, organization_id, [...affiliate_ids]);
  const known = new Set(found.map(({ id }) => id));
  const missing = affiliate_ids.find((id) => !known.has(id));
  if (missing !== undefined) throw invalidField("affiliate_ids", `There is no affiliate ${missing}.`);
}
