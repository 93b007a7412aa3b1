import type {
  ListMemberSecurityEvents,
  ListSecurityEvents,
  MemberSecurityEvent,
  SecurityEvent,
} from "@findersfee/contract/identity/security-events";
import type { Page } from "@findersfee/contract/pages";
import { findMember } from "@findersfee/database/identity/members";
import {
  listMemberSecurityEvents as listMemberRows,
  listSecurityEvents as listRows,
  type SecurityEventRow,
} from "@findersfee/database/identity/security-events";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { idOf, pageOf } from "../../pages.ts";
import type { SignedInUser } from "./recent-sign-in.ts";

/** A person's own security events, newest first. */
export async function listSecurityEvents(
  database: Database,
  { user_id }: SignedInUser,
  { limit, cursor }: ListSecurityEvents,
): Promise<Page<SecurityEvent>> {
  const rows = await listRows(database, user_id, { below: cursor ?? null, limit: limit + 1 });
  return pageOf(rows, { limit, view, cursorOf: idOf });
}

/**
 * The security events of people while they were members of the organization, or of one member, newest first.
 *
 * @throws DomainError `not_found` if that person is no member
 */
export async function listMemberSecurityEvents(
  { database, organization }: Context,
  { user_id, limit, cursor }: ListMemberSecurityEvents,
): Promise<Page<MemberSecurityEvent>> {
  if (user_id !== undefined && (await findMember(database, organization.id, user_id)) === null) {
    throw notFound("member");
  }
  const rows = await listMemberRows(database, organization.id, {
    user_id: user_id ?? null,
    below: cursor ?? null,
    limit: limit + 1,
  });
  return pageOf(rows, { limit, view, cursorOf: idOf });
}

function view<Row extends SecurityEventRow>({ network: _, created_at, last_at, ...event }: Row) {
  return { ...event, created_at: created_at.toISOString(), last_at: last_at.toISOString() };
}
