import type { TestService } from "@findersfee/api/testing/test-service";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { startTestWorker, type TestWorkerOptions } from "@findersfee/worker/testing/test-worker";
import type { Place } from "./program.ts";

/** The key of the API in tests. */
const SECRETS_KEY = Buffer.alloc(32);

/** Starts a real worker on the service's database. It ends with `stop`. */
export async function startWorkerOf(
  { database, database_url }: TestService,
  options: TestWorkerOptions = {},
) {
  return await startTestWorker(
    { database, url: database_url, close: async () => {} },
    { secrets_key: SECRETS_KEY, ...options },
  );
}

/** Adds an endpoint on this machine, which people cannot do. Returns its id. */
export async function addLocalEndpoint({ context }: Place, url: string): Promise<string> {
  const policy = { secrets_key: SECRETS_KEY, allow_http: true, allow_private: true };
  const { id } = await createEndpoint(context, policy, { url, event_types: null, description: "" });
  return id;
}
