import type { AccessChoice } from "@findersfee/contract/identity/members";
import type { Role } from "@findersfee/contract/identity/roles";
import type { ApiKeyRow } from "@findersfee/database/identity/api-keys";
import { revokeInvitation } from "@findersfee/database/identity/invitations";
import { listOwnOrganizations, lockMadeKeys } from "@findersfee/database/identity/member-access";
import { endFramesOfKeys } from "@findersfee/database/portal/tokens";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { disableWithin } from "../../webhooks/endpoints/disable.ts";
import { cancelWithin } from "../../work/jobs/cancel.ts";
import { revokeLockedKey } from "../api-keys/revoke.ts";
import { invitationFields } from "../invitations/fields.ts";
import { listEnding } from "./access.ts";

interface Ending extends AccessChoice {
  user_id: string;
  /** The new role; null: the member is removed. */
  role: Role | null;
}

/**
 * Members do not choose which of their own access outlives their role: they could keep a key for themselves.
 *
 * @throws DomainError `invalid_request`
 */
export function requireOthersChoice(
  { actor }: Context,
  { user_id, ...kept }: AccessChoice & { user_id: string },
): void {
  if (actor.kind !== "user" || actor.id !== user_id) return;
  const message = "Another member decides this: nobody keeps what they made beyond their own role.";
  if (kept.keep_api_key_ids.length > 0) throw invalidField("keep_api_key_ids", message);
  if (kept.keep_endpoint_ids.length > 0) throw invalidField("keep_endpoint_ids", message);
}

/**
 * Ends the access that a member made, in the transaction of the removal or of the new role: keys, also those
 * made with these keys; portal tokens and frames of all these keys, kept ones, too; jobs; endpoints, which
 * are disabled; open invitations. In test data nothing is kept.
 *
 * The caller has locked the member, and locks the organization afterwards: steps of a job hold it before they
 * wait for the organization.
 */
export async function endAccess(
  sql: Connection,
  sender: Author,
  ending: Ending,
): Promise<() => Promise<void>> {
  const later: (() => Promise<void>)[] = [];
  const { id: own_id } = sender.organization;
  for (const id of await listOwnOrganizations(sql, own_id)) {
    const author = { ...sender, organization: { ...sender.organization, id } };
    const kept = id === own_id ? ending : { ...ending, keep_api_key_ids: [], keep_endpoint_ids: [] };
    later.push(await endIn(sql, author, kept));
  }
  return async () => {
    for (const end of later) await end();
  };
}

/** Ends keys and jobs; returns the rest, which needs the lock of the organization. */
async function endIn(sql: Connection, author: Author, ending: Ending): Promise<() => Promise<void>> {
  const { user_id, role, keep_api_key_ids, keep_endpoint_ids } = ending;
  const organization_id = author.organization.id;
  const keys = await lockAllMadeKeys(sql, organization_id, user_id);
  const { keys: valid, job_ids } = await listEnding(sql, organization_id, { user_id, role, keys });
  for (const key of valid) {
    if (!keep_api_key_ids.includes(key.id)) await revokeLockedKey(sql, author, key);
  }
  await endFramesOfKeys(
    sql,
    organization_id,
    valid.map(({ id }) => id),
  );
  for (const id of job_ids) await cancelWithin(sql, author, id);
  return async () => {
    const { endpoints, invitations } = await listEnding(sql, organization_id, { user_id, role, keys });
    for (const { id } of endpoints) {
      if (!keep_endpoint_ids.includes(id)) await disableWithin(sql, author, id);
    }
    for (const invitation of invitations) {
      await revokeInvitation(sql, organization_id, { id: invitation.id, revoked_at: new Date() });
      await writeAuditEntry(sql, author, {
        resource: "invitation",
        id: invitation.id,
        action: "revoked",
        before: invitationFields(invitation, "open"),
        after: invitationFields(invitation, "revoked"),
      });
    }
  };
}

/**
 * Locks all keys. While it waits for a lock, the change that holds a key may have made another one with it,
 * so it looks again until there is none.
 */
async function lockAllMadeKeys(
  sql: Connection,
  organization_id: string,
  user_id: string,
): Promise<ApiKeyRow[]> {
  for (let known = -1; ; ) {
    const keys = await lockMadeKeys(sql, organization_id, user_id);
    if (keys.length === known) return keys;
    known = keys.length;
  }
}
