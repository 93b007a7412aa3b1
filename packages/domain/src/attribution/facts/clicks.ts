import type { ReferralSource } from "@findersfee/database/attribution/customers";
import type { Connection } from "@findersfee/database/postgres/connect";
import {
  type ClickRow,
  findClick as findRow,
  findClicks as findRows,
} from "@findersfee/database/tracking/clicks";
import { isId, timeOfId } from "../../ids.ts";

/** Longer than any campaign's `cookie_duration`. Clicks stay up to a month longer, until their partition is dropped. */
export const CLICKS_RETENTION_DAYS = 400;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Finds a click by its id, which includes its time; null: it does not exist, or its retention has ended. */
export async function findClick(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<ClickRow | null> {
  const clicked_at = clickedAt(id);
  return clicked_at === null ? null : await findRow(sql, organizationId, { id, clicked_at });
}

/** Finds the existing clicks among these ids. */
export async function findClicks(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<ClickRow[]> {
  const known = ids.flatMap((id) => {
    const clicked_at = clickedAt(id);
    return clicked_at === null ? [] : { id, clicked_at };
  });
  return known.length === 0 ? [] : await findRows(sql, organizationId, known);
}

/**
 * The time of a click, from its id. Null: no stored click can have this id. Ids come from browsers, and most
 * UUIDs encode impossible times. Postgres cannot represent some of them.
 */
export function clickedAt(id: string): Date | null {
  if (!isId(id)) return null;
  const clicked_at = timeOfId(id);
  const age_days = (Date.now() - clicked_at.getTime()) / DAY_MILLISECONDS;
  return age_days < -1 || age_days > CLICKS_RETENTION_DAYS ? null : clicked_at;
}

/** The end of the time in which a click counts. */
export function expiryOf({ clicked_at }: Pick<ClickRow, "clicked_at">, cookie_duration: number): Date {
  return new Date(clicked_at.getTime() + cookie_duration * DAY_MILLISECONDS);
}

/** The source of a referral without a known click. */
export const NO_CLICK: ReferralSource = {
  link_code: null,
  landing_url: null,
  referrer: null,
  sub_id: null,
  visitor_country: null,
};

/** The fields that a referral takes from the click that it is attributed to. */
export function sourceOf({ code, landing_url, referrer, sub_id, country }: ClickRow): ReferralSource {
  return { link_code: code, landing_url, referrer, sub_id, visitor_country: country };
}
