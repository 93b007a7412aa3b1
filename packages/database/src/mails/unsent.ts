import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { MailDelivery } from "../work/workers.ts";

/**
 * The missing setting that keeps a worker from sending a mail: a mail server, or the address for the mail's
 * link.
 */
export type UnsentCause = Exclude<MailDelivery, "sent" | "local">;

export interface UnsentMailsRow {
  count: number;
  /** When the first of them was dropped; null without any. */
  since: Date | null;
}

const UNSENT = statement<UnsentMailsRow, "organization_id" | "most">(`
  select count(*)::int as count, min(finished_at) as since from (
    select finished_at from mails where organization_id = :organization_id::uuid and unsent_cause is not null
    order by finished_at desc limit :most::int) as counted`);

/** Counts an organization's mails that were dropped because the service cannot send them, the last ones up to `most`. */
export async function countUnsentMails(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<UnsentMailsRow> {
  const [row] = await UNSENT.run(sql, { organization_id: organizationId, most });
  return row ?? { count: 0, since: null };
}
