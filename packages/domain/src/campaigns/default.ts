import { unsetDefaultCampaign as unsetRow } from "@findersfee/database/campaigns/campaigns";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Author, writeAuditEntry } from "../audit-log/write.ts";

/**
 * Clears the current default campaign, before another becomes the default; the caller holds the organization's lock.
 */
export async function unsetDefaultCampaign(sql: Connection, author: Author): Promise<void> {
  const former = await unsetRow(sql, author.organization.id);
  if (former === null) return;
  await writeAuditEntry(sql, author, {
    resource: "campaign",
    id: former,
    action: "updated",
    before: { is_default: true },
    after: { is_default: false },
  });
}
