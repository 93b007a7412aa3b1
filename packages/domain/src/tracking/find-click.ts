import { type ClickRow, findClick as findRow } from "@findersfee/database/clicks";
import type { Database } from "@findersfee/database/connect";
import { timeOfId } from "../ids.ts";
import { CLICKS_KEPT_DAYS } from "./kept.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A click by its id alone, which tells its time; null: there is none, or it is no longer kept. */
export async function findClick(
  database: Database,
  organizationId: string,
  id: string,
): Promise<ClickRow | null> {
  const clicked_at = timeOfId(id);
  const age_days = (Date.now() - clicked_at.getTime()) / DAY_MILLISECONDS;
  // Ids come from browsers: most UUIDs are of times that no clock has shown, and some of none that can be written.
  if (age_days < -1 || age_days > CLICKS_KEPT_DAYS) return null;
  return await findRow(database, organizationId, { id, clicked_at });
}

/** Until when a click counts. */
export function expiryOf({ clicked_at }: Pick<ClickRow, "clicked_at">, cookie_duration: number): Date {
  return new Date(clicked_at.getTime() + cookie_duration * DAY_MILLISECONDS);
}
