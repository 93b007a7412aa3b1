import { findInvitationMails } from "@findersfee/database/identity/invitations";
import type { Connection } from "@findersfee/database/postgres/connect";
import { waitInWords } from "../../caching/wait.ts";
import { DomainError } from "../../errors.ts";
import { firstIdOf } from "../../ids.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The wait after each mail to one address; after the last one listed, it stays. Mails older than the period do not count. */
const WAITS = [0, 0, 10 * MINUTE, HOUR, 6 * HOUR, DAY];
const PERIOD = 30 * DAY;
/** Mailed invitations of one organization in a day. */
const DAILY = 200;

/**
 * Limits mails to people who did not ask for them. The caller has locked the organization. A copied link is not limited,
 * because it mails nobody.
 *
 * @throws DomainError `rate_limited`
 */
export async function requireMailAllowed(
  sql: Connection,
  organization_id: string,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  const { to_address, last_at, of_organization } = await findInvitationMails(sql, organization_id, {
    email,
    address_from_id: firstIdOf(new Date(at.getTime() - PERIOD)),
    organization_from_id: firstIdOf(new Date(at.getTime() - DAY)),
    limit: DAILY,
  });
  if (of_organization >= DAILY) {
    throw tooMany(`The organization has mailed ${DAILY} invitations within a day.`, HOUR);
  }
  const wait = to_address === 0 ? 0 : (WAITS[Math.min(to_address, WAITS.length) - 1] ?? 0);
  const rest = (last_at?.getTime() ?? 0) + wait - at.getTime();
  if (rest > 0) throw tooMany(`${email} was mailed ${to_address} times within a month.`, rest);
}

function tooMany(reason: string, rest_milliseconds: number): DomainError {
  const retry_after_seconds = Math.ceil(rest_milliseconds / 1000);
  return new DomainError("rate_limited", {
    message: `${reason} Copy a link instead, or try again in ${waitInWords(retry_after_seconds)}.`,
    retry_after_seconds,
  });
}
