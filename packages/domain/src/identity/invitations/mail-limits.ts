import { countCopiedInvitations, findInvitationMails } from "@findersfee/database/identity/invitations";
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
/** Copied ones: who accepts one learns whether its email has an account. */
const DAILY_COPIED = 50;

/**
 * Limits mails to people who did not ask for them. The caller has locked the organization.
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

/**
 * Limits copied links. The caller has locked the organization.
 *
 * @throws DomainError `rate_limited`
 */
export async function requireLinkAllowed(sql: Connection, organization_id: string, at: Date): Promise<void> {
  const from_id = firstIdOf(new Date(at.getTime() - DAY));
  if ((await countCopiedInvitations(sql, organization_id, { from_id, limit: DAILY_COPIED })) < DAILY_COPIED)
    return;
  throw new DomainError("rate_limited", {
    message: `The organization has made ${DAILY_COPIED} links to pass on within a day. Mail the invitation, or try again in an hour.`,
    retry_after_seconds: HOUR / 1000,
  });
}

function tooMany(reason: string, rest_milliseconds: number): DomainError {
  const retry_after_seconds = Math.ceil(rest_milliseconds / 1000);
  return new DomainError("rate_limited", {
    message: `${reason} Copy a link instead, or try again in ${waitInWords(retry_after_seconds)}.`,
    retry_after_seconds,
  });
}
