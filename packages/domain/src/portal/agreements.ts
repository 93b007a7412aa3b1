import type { AnswerInvitation } from "@findersfee/contract/portal/invitations";
import { dropQuotaWaits, releaseQuotaWaits } from "@findersfee/database/mails/mails";
import { agreeToPrograms, disownProgram } from "@findersfee/database/portal/agreements";
import { insertApprovedMail } from "@findersfee/database/portal/joining";
import { type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { writeAuditEntry } from "../audit-log/write.ts";
import { noteOrganizationChange } from "../caching/organization-changes.ts";
import { DomainError } from "../errors.ts";
import type { PortalSession } from "./authenticate.ts";
import type { Acting } from "./own-context.ts";

/**
 * Makes affiliates that an organization added the person's own, who has proven the address: those with the address, or one of them.
 * An approved one gets the welcome mail now. Nothing changes for those who have agreed.
 */
export async function agree(
  sql: Transaction,
  person: { organization_id: string; email: string; affiliate_id: string | null },
): Promise<void> {
  const { organization_id } = person;
  for (const { affiliate_id, approved, banned, was_disowned } of await agreeToPrograms(sql, person)) {
    await releaseQuotaWaits(sql, { organization_id, affiliate_id });
    if (approved && !banned) await insertApprovedMail(sql, organization_id, affiliate_id);
    await notifyWorkers(sql, "mails", [organization_id]);
    await writeAuditEntry(sql, authorOf(organization_id, affiliate_id), {
      resource: "affiliate",
      id: affiliate_id,
      action: "updated",
      before: { invitation: was_disowned ? "not_theirs" : "open" },
      after: { invitation: "accepted" },
    });
  }
}

/**
 * Accepts an invitation: the program is among the person's from now on. Accepting it again changes nothing.
 *
 * @throws DomainError `not_an_affiliate`
 */
export async function acceptInvitation(
  { database }: Pick<Acting, "database">,
  session: PortalSession,
  { affiliate_id }: AnswerInvitation,
): Promise<void> {
  const { organization_id } = invitedTo(session, affiliate_id);
  await transaction(database, (sql) => agree(sql, { organization_id, email: session.email, affiliate_id }));
  noteOrganizationChange(database, organization_id);
}

/**
 * Ends an invitation: the portal does not list the program any more, and no mails about it are sent. The
 * affiliate's earnings still count.
 *
 * @throws DomainError `not_an_affiliate`
 */
export async function disownInvitation(
  { database }: Pick<Acting, "database">,
  session: PortalSession,
  { affiliate_id }: AnswerInvitation,
): Promise<void> {
  const { organization_id } = invitedTo(session, affiliate_id);
  await transaction(database, async (sql) => {
    const own = { organization_id, affiliate_id, email: session.email };
    if (!(await disownProgram(sql, own))) return;
    await dropQuotaWaits(sql, own);
    await writeAuditEntry(sql, authorOf(organization_id, affiliate_id), {
      resource: "affiliate",
      id: affiliate_id,
      action: "updated",
      before: { invitation: "open" },
      after: { invitation: "not_theirs" },
    });
  });
  noteOrganizationChange(database, organization_id);
}

/** Also a program that the person has agreed to: the answer may have been sent twice. */
function invitedTo({ invitations, programs }: PortalSession, affiliate_id: string) {
  const invited = invitations.get(affiliate_id) ?? programs.get(affiliate_id);
  if (invited === undefined) throw new DomainError("not_an_affiliate");
  return invited;
}

function authorOf(organization_id: string, affiliate_id: string) {
  return { organization: { id: organization_id }, actor: { kind: "affiliate" as const, id: affiliate_id } };
}
