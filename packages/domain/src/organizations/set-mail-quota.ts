import { lockMailQuota, updateMailQuota } from "@findersfee/database/organizations/organizations";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { operatorOf, writeAuditEntry } from "../audit-log/write.ts";
import { notFound } from "../errors.ts";

/**
 * An organization's own quota of mails a day to people who have not agreed; null: the service's. 0: any
 * number.
 */
export interface MailQuota {
  id: string;
  mails_to_strangers: number | null;
}

/**
 * Sets the quota of one organization. Running processes see it within a minute.
 *
 * @throws DomainError `not_found`
 */
export async function setMailQuota(database: Database, quota: MailQuota): Promise<MailQuota> {
  const { id, mails_to_strangers } = quota;
  return await transaction(database, async (sql) => {
    const before = await lockMailQuota(sql, id);
    if (before === null) throw notFound("organization");
    await updateMailQuota(sql, id, mails_to_strangers);
    await writeAuditEntry(sql, operatorOf(id), {
      resource: "organization",
      id,
      action: "updated",
      before: { ...before },
      after: { mails_to_strangers },
    });
    return quota;
  });
}
