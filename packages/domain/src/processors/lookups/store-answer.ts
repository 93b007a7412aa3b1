import { createHash } from "node:crypto";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { completeLookups } from "@findersfee/database/processors/lookups";
import { insertMessages } from "@findersfee/database/processors/messages";
import type { ShardOwner } from "@findersfee/database/work/shards";
import type { LookupType } from "../stripe/lookup.ts";

/** The response of Stripe's API for an object. */
export interface LookupAnswer {
  type: LookupType;
  /** Seconds since 1970. */
  created: number;
  object: object;
}

/**
 * Stores a response as a message, so that it is processed like any other and never fetched again, and ends the lookups
 * of its object; both in one transaction. The same response again is the same message.
 */
export async function storeLookupAnswer(
  database: Database,
  organizationId: string,
  found: { object_id: string; account: string | null; answer: LookupAnswer; owner: ShardOwner },
): Promise<void> {
  const { object_id, account, answer, owner } = found;
  const { type, created, object } = answer;
  const content = JSON.stringify({ object: "event", type, created, account, data: { object } });
  const id = `lookup_${object_id}_${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
  await transaction(database, async (sql) => {
    const now = new Date();
    const message = {
      processor: "stripe" as const,
      id,
      type,
      account,
      body: content,
      state: "received" as const,
      reason: null,
      occurred_at: new Date(created * 1000),
      received_at: now,
      due_at: now,
    };
    await insertMessages(sql, organizationId, { source: "lookup", messages: [message] });
    await completeLookups(sql, organizationId, { object_id, owner });
  });
}
