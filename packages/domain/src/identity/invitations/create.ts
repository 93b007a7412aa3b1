import type { CreatedInvitation, CreateInvitation } from "@findersfee/contract/identity/invitations";
import {
  countOpenInvitations,
  insertInvitation,
  insertInvitationMail,
  lockInvitationOfEmail,
  revokeInvitation as revokeRow,
} from "@findersfee/database/identity/invitations";
import { countMembers, hasMemberWithEmail } from "@findersfee/database/identity/members";
import { findUser } from "@findersfee/database/identity/users";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import type { Connection } from "@findersfee/database/postgres/connect";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { linkTo } from "../accounts/links.ts";
import { hashSecretToken, mailedToken, newSecretToken } from "../accounts/secret-token.ts";
import { MAX_MEMBERS } from "../members/limits.ts";
import { requireManager } from "../rights/roles.ts";
import { invitationFields } from "./fields.ts";
import { requireLinkAllowed, requireMailAllowed } from "./mail-limits.ts";
import { viewInvitation } from "./view.ts";

/** The values that a link needs. */
export interface Inviting {
  secrets_key: SecretsKey;
  dashboard_url: string;
  /** Whether mails can have links: the service knows its public address. */
  can_mail: boolean;
}

const DAYS = 7;

/**
 * Invites a person to the organization. The link is either mailed or returned, never both: a mailed one proves that its
 * user reads the address. It replaces an open invitation of the address.
 *
 * @throws DomainError `not_a_member`, also for programs; `forbidden_role`; `member_exists`; `invalid_request` with too
 * many members and invitations; `rate_limited` with too many mails or links;
 * `quota_exceeded` with too many mails today to people who have not agreed
 */
export async function createInvitation(
  context: Context,
  { secrets_key, dashboard_url, can_mail }: Inviting,
  { email, role, mailed }: CreateInvitation,
): Promise<CreatedInvitation> {
  if (mailed && !can_mail) {
    throw invalidField(
      "mailed",
      "Set PUBLIC_URL so that mails can have links, or pass the link on yourself.",
    );
  }
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    await lockOrganization(sql, organization_id);
    await requireManager(sql, context, [role]);
    if (await hasMemberWithEmail(sql, organization_id, email)) throw new DomainError("member_exists");
    await replaceOpen(sql, context, email);
    await requireRoom(sql, organization_id);
    const created_at = new Date();
    if (mailed) {
      await requireMailAllowed(sql, organization_id, { email, at: created_at });
      context.quotas?.admit("mails_to_strangers", organization_id);
    } else await requireLinkAllowed(sql, organization_id, created_at);
    const id = newId(created_at);
    const token = mailed ? mailedToken(secrets_key, "invitation", id) : newSecretToken();
    const inviter = context.actor.kind === "user" ? await findUser(sql, context.actor.id) : null;
    const invitation = {
      organization_id,
      id,
      email,
      role,
      mailed,
      invited_by: inviter?.id ?? null,
      created_at,
      expires_at: new Date(created_at.getTime() + DAYS * 24 * 60 * 60 * 1000),
    };
    await insertInvitation(sql, { ...invitation, token_hash: hashSecretToken(token) });
    if (mailed) await insertInvitationMail(sql, organization_id, invitation);
    await writeAuditEntry(sql, context, {
      resource: "invitation",
      id,
      action: "created",
      before: null,
      after: invitationFields(invitation, "open"),
    });
    return {
      ...viewInvitation({ ...invitation, inviter_name: inviter?.name ?? null }),
      link: mailed ? null : linkTo(dashboard_url, "invitation", token),
    };
  });
}

async function replaceOpen(sql: Connection, context: Context, email: string): Promise<void> {
  const open = await lockInvitationOfEmail(sql, context.organization.id, email);
  if (open === null) return;
  await requireManager(sql, context, [open.role]);
  await revokeRow(sql, context.organization.id, { id: open.id, revoked_at: new Date() });
  await writeAuditEntry(sql, context, {
    resource: "invitation",
    id: open.id,
    action: "revoked",
    before: invitationFields(open, "open"),
    after: invitationFields(open, "revoked"),
  });
}

async function requireRoom(sql: Connection, organization_id: string): Promise<void> {
  const members = await countMembers(sql, organization_id);
  const invitations = await countOpenInvitations(sql, organization_id);
  if (members + invitations < MAX_MEMBERS) return;
  throw new DomainError("invalid_request", {
    message: `An organization can have ${MAX_MEMBERS} members and open invitations. Remove some first.`,
  });
}
