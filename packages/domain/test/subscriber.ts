import { randomBytes } from "node:crypto";
import type { CreateEndpoint } from "@findersfee/contract/webhooks/endpoints";
import type { Database } from "@findersfee/database/postgres/connect";
import { OPERATOR } from "../src/actor.ts";
import { CommissionBatchWriter } from "../src/commissions/batch-writer.ts";
import type { CreationContext } from "../src/commissions/create.ts";
import type { Context } from "../src/context.ts";
import { createOrganization } from "../src/organizations/create.ts";
import { createEndpoint } from "../src/webhooks/endpoints/create.ts";
import { serializeEvent } from "../src/webhooks/events/data.ts";
import { recordEvent } from "../src/webhooks/events/record.ts";

export const POLICY = { secrets_key: randomBytes(32), allow_http: false, allow_private: false };

/** An organization with the dependencies of operations, and the number of worker notifications. */
export async function makeContext(database: Database): Promise<CreationContext & { woken: () => number }> {
  const input = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  const { organization_id } = await createOrganization(database, input);
  let woken = 0;
  return {
    database,
    organization: { id: organization_id, currency: "USD", subscription_status: "active" },
    actor: OPERATOR,
    idempotency: null,
    secrets_key: Buffer.alloc(32, 7),
    commission_writer: new CommissionBatchWriter(database),
    notifyWorkers: () => {
      woken += 1;
    },
    woken: () => woken,
  };
}

export function addEndpoint(context: Context, changes: Partial<CreateEndpoint> = {}) {
  return createEndpoint(context, POLICY, {
    url: "https://example.com/webhooks",
    event_types: null,
    description: "",
    ...changes,
  });
}

/** Records events of a type, with deliveries to the endpoints that there are; returns their ids. */
export async function recordEvents(
  { database, organization }: Context,
  count: number,
  at = new Date(),
): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const data = { id: organization.id } as never;
    const event = serializeEvent("affiliate.created", data, at);
    await recordEvent(database, organization.id, event);
    ids.push(event.id);
  }
  return ids;
}
