import type { TestService } from "@findersfee/api/testing/test-service";
import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { recordEvents } from "@findersfee/domain/testing/subscriber";
import { attemptDue } from "@findersfee/domain/testing/webhooks/attempts";
import type { Place } from "../program.ts";

const HOUR_MILLISECONDS = 3_600_000;

/** The endpoints of a filled organization, by their state. */
export interface Endpoints {
  good: string;
  failing: string;
  disabled: string;
  /** An event that the failing one answers with 502. */
  event: string;
}

/** Endpoints of every state, with deliveries that arrived, that failed, and that wait. */
export async function fillWebhooks(
  service: TestService,
  { context, organization_id }: Place,
): Promise<Endpoints> {
  await makePartitions(service.database, ATTEMPTS, { ahead: 1 });
  const { trpc } = await service.staff(organization_id, "admin");
  const { endpoints } = trpc.dashboard;
  const add = async (url: string, description = "") => {
    const { id } = await endpoints.create.mutate({ url, description });
    return id;
  };
  const good = await add("https://hooks.example.com/findersfee", "Ledger");
  for (const hours of [20, 9, 8, 3, 2, 1]) {
    await recordEvents(context, 1 + (hours % 3), new Date(Date.now() - hours * HOUR_MILLISECONDS));
    await attemptDue(context, { duration_milliseconds: 40 + hours });
  }
  const failing = await add(
    "https://crm.example.org/a/rather/long/path/of/a/receiver/that/someone/chose?token=1",
  );
  await recordEvents(context, 2, new Date(Date.now() - 6 * HOUR_MILLISECONDS));
  await attemptDue(context, { endpoint_id: failing, limit: 1, duration_milliseconds: 88 });
  await attemptDue(context, {
    endpoint_id: failing,
    state: "exhausted",
    status: null,
    error_code: "timeout",
    error_message: "no response within 15 s",
    duration_milliseconds: 15_000,
  });
  const [event = ""] = await recordEvents(context, 2);
  await attemptDue(context, {
    endpoint_id: failing,
    state: "scheduled",
    status: 502,
    error_code: "http_status",
    error_message: null,
    response: "<h1>502 Bad Gateway</h1>",
    duration_milliseconds: 212,
  });
  await attemptDue(context, { endpoint_id: good });
  const disabled = await add("https://old.example.net/webhooks", "The former shop");
  await endpoints.disable.mutate({ id: disabled });
  return { good, failing, disabled, event };
}
