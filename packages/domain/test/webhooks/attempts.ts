import { type DeliveryResult, recordResults } from "@findersfee/database/webhooks/delivery-results";
import type { DeliveryKey } from "@findersfee/database/webhooks/pending-deliveries";
import type { Context } from "../../src/context.ts";

type Outcome = Partial<Omit<DeliveryResult, keyof DeliveryKey | "sent" | "attempts">>;

/** Records an attempt at each due delivery of the organization, oldest event first; a success by default. */
export async function attemptDue(
  { database, organization }: Context,
  {
    endpoint_id = null,
    limit = null,
    ...outcome
  }: Outcome & { endpoint_id?: string | null; limit?: number | null },
): Promise<DeliveryKey[]> {
  const due = await database<(DeliveryKey & { attempts: number })[]>`
    select organization_id, endpoint_id, event_id, attempts from pending_deliveries
    where organization_id = ${organization.id} and due_at <= now()
      and (${endpoint_id}::uuid is null or endpoint_id = ${endpoint_id})
    order by event_id limit ${limit}`;
  const state = outcome.state ?? "delivered";
  const results = due.map(
    (read): DeliveryResult => ({
      ...read,
      sent: true,
      next_attempt_in: state === "scheduled" ? 60_000 : null,
      failures: state === "delivered" ? 0 : 1,
      attempted_at: new Date(),
      duration_milliseconds: 12,
      status: 204,
      error_code: null,
      error_message: null,
      response: "",
      ...outcome,
      state,
    }),
  );
  await recordResults(database, results);
  return due;
}
