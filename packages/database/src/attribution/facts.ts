import type { Connection } from "../postgres/connect.ts";
import { assignments, columnList, jsonRows } from "../postgres/json-rows.ts";
import { statement } from "../postgres/statement.ts";

/** The state of a subject, as written. */
export interface NewPaymentFact {
  processor: string;
  kind: string;
  subject: string;
  customer_id: string;
  state_at: Date;
  rank: number;
  message_id: string;
  /** JSON. */
  data: string;
  /** JSON. */
  snapshot: string | null;
  /** The purpose and object of the lookup that the fact waits for. */
  lookup: string | null;
}

export interface PaymentFactRow {
  customer_id: string;
  processor: string;
  message_id: string;
  data: unknown;
  snapshot: unknown;
  lookup: string | null;
}

const FIND_KEYS = statement<{ key: string; customer_id: string }, "organization_id" | "keys">(`
  select key, customer_id from customer_keys
  where organization_id = :organization_id::uuid and key = any (:keys::text[])`);

/** Returns the customers with these keys. */
export async function findCustomerKeys(
  sql: Connection,
  organizationId: string,
  keys: string[],
): Promise<Map<string, string>> {
  const rows = await FIND_KEYS.run(sql, { organization_id: organizationId, keys });
  return new Map(rows.map(({ key, customer_id }) => [key, customer_id]));
}

const INSERT_KEYS = statement<object, "organization_id" | "keys" | "customer_ids">(`
  insert into customer_keys (organization_id, key, customer_id)
  select :organization_id::uuid, key, customer_id
  from unnest(:keys::text[], :customer_ids::uuid[]) as known (key, customer_id)`);

/** Inserts keys that no customer has. */
export async function insertCustomerKeys(
  sql: Connection,
  organizationId: string,
  known: ReadonlyMap<string, string>,
): Promise<void> {
  await INSERT_KEYS.run(sql, {
    organization_id: organizationId,
    keys: [...known.keys()],
    customer_ids: [...known.values()],
  });
}

const MERGE = `
  update %table set customer_id = merged.into_id
  from unnest(:from_ids::uuid[], :into_ids::uuid[]) as merged (from_id, into_id)
  where organization_id = :organization_id::uuid and customer_id = merged.from_id`;

const MERGES = ["customer_keys", "payment_facts", "payment_decisions"].map((table) =>
  statement<object, "organization_id" | "from_ids" | "into_ids">(MERGE.replace("%table", table)),
);

/** Merges customers that turned out to be the same person. */
export async function mergeCustomers(
  sql: Connection,
  organizationId: string,
  merged: ReadonlyMap<string, string>,
): Promise<void> {
  const values = {
    organization_id: organizationId,
    from_ids: [...merged.keys()],
    into_ids: [...merged.values()],
  };
  for (const merge of MERGES) await merge.run(sql, values);
}

const TYPES = {
  processor: "text",
  kind: "text",
  subject: "text",
  customer_id: "uuid",
  state_at: "timestamptz",
  rank: "integer",
  message_id: "text",
  lookup: "text",
} satisfies Record<Exclude<keyof NewPaymentFact, "data" | "snapshot">, string>;

const COLUMNS = columnList(TYPES);

const UPSERT = statement<object, "organization_id" | "events">(`
  insert into payment_facts (organization_id, ${COLUMNS}, data, snapshot)
  select :organization_id::uuid, ${COLUMNS}, data::jsonb, snapshot::jsonb
  from ${jsonRows("events", "reported", { ...TYPES, data: "text", snapshot: "text" })}
  on conflict (organization_id, processor, kind, subject) do update
  set ${assignments("excluded", TYPES, ["processor", "kind", "subject", "customer_id"])},
    data = excluded.data, snapshot = excluded.snapshot`);

/** Inserts or replaces the states of subjects. No two have the same subject. */
export async function upsertPaymentFacts(
  sql: Connection,
  organizationId: string,
  events: readonly NewPaymentFact[],
): Promise<void> {
  await UPSERT.run(sql, { organization_id: organizationId, events: JSON.stringify(events) });
}

const LIST = statement<PaymentFactRow, "organization_id" | "customer_ids">(`
  select customer_id, processor, message_id, data, snapshot, lookup from payment_facts
  where organization_id = :organization_id::uuid and customer_id = any (:customer_ids::uuid[])`);

/** Returns all facts of some customers. */
export async function listPaymentFacts(
  sql: Connection,
  organizationId: string,
  customerIds: string[],
): Promise<PaymentFactRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, customer_ids: customerIds });
}

/**
 * Deletes the affiliate snapshots of a payment with its exchange rates, and those of its customer's checkouts if none of them attributed the customer:
 * the next attribution captures them with the current settings. The customer's attribution stays.
 */
export async function clearSnapshots(
  sql: Connection,
  organizationId: string,
  { processor, payment_id, customer_id }: { processor: string; payment_id: string; customer_id: string },
): Promise<void> {
  await sql`
    update payment_facts event set snapshot = jsonb_set(snapshot, '{affiliates}', '[]') - 'captured_at' - 'exchange_rates'
    where organization_id = ${organizationId} and customer_id = ${customer_id} and snapshot is not null
      and (processor = ${processor} and kind = 'payment' and subject = ${payment_id}
        or processor = ${processor} and kind = 'charge' and data ->> 'payment_id' = ${payment_id}
        or kind in ('checkout', 'customer') and not exists (
          select from payment_facts own
          join referrals referral on referral.organization_id = own.organization_id and referral.replaced_at is null
            and referral.attributed_by = own.processor || ':' || own.kind || ':' || own.subject
          where own.organization_id = event.organization_id and own.customer_id = event.customer_id))`;
}
