/* Question: do people who leave the dashboard open slow down the API? */
import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { apiServer, type Bench, loadGenerator, serve, withChildren } from "../bench.ts";
import type { LoadJob } from "../load.ts";
import type { Measurement } from "../measurement.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram } from "../program.ts";
import { fine, type Verdict } from "../table.ts";

const PEOPLE = 50;
/** Each open page asks for its content every two seconds. */
const POLLS_PER_SECOND = PEOPLE / 2;
const READS_PER_SECOND = 200;
const CONNECTIONS = 16;
const MAX_RATIO = 1.5;

/**
 * The requests of open pages: long work, first steps, deliveries that are being sent, the health of
 * endpoints.
 */
const POLLED = [
  "jobs.list",
  "onboarding.status",
  `deliveries.list?input=${encodeURIComponent(JSON.stringify({ limit: 50 }))}`,
  "endpoints.health",
].map((call) => `/trpc/dashboard.${call}`);

/** Question 5. */
export async function measurePolling(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), bench.quick ? 100_000 : 1_000_000);
  const { token } = await withConnection(program.database_url, (database) =>
    createApiKey(database, {
      organization_id: program.organization_id,
      scopes: ["view"],
      name: "Dashboard",
      expires_at: null,
    }),
  );
  const api = apiServer(bench);
  const [readers, people] = [loadGenerator(), loadGenerator()];
  return await withChildren([api, readers, people], async () => {
    const port = await serve(api, program.database_url);
    const seconds = bench.quick ? 5 : 30;
    const reads: LoadJob = {
      port,
      connections: CONNECTIONS,
      until: { seconds },
      per_second: READS_PER_SECOND,
      send: {
        kind: "get",
        api_key: program.api_key,
        paths: program.affiliate_ids.map((id) => `/v1/affiliates/${id}`),
      },
    };
    const polls: LoadJob = {
      ...reads,
      connections: PEOPLE,
      per_second: POLLS_PER_SECOND,
      send: { kind: "get", api_key: token, paths: POLLED },
    };
    await Promise.all([readers.ask(reads), people.ask(polls)]);
    const alone = await readers.ask(reads);
    const [beside] = await Promise.all([readers.ask(reads), people.ask(polls)]);
    return [verdict(alone, beside)];
  });
}

function verdict(alone: Measurement, beside: Measurement): Verdict {
  const ratio = beside.p99_ms / alone.p99_ms;
  return {
    question: `5 p99 of ${READS_PER_SECOND} reads/s beside ${PEOPLE} people who poll`,
    measured: `${fine(beside.p99_ms)} ms`,
    limit: `${fine(alone.p99_ms)} ms alone`,
    ratio: fine(ratio),
    target: `<= ${MAX_RATIO}`,
    met: ratio <= MAX_RATIO,
  };
}
