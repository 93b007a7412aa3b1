/*
 * Question: how many signed Stripe events per second are verified and stored, each durable before the
 * response? Of the size of an invoice's events, from as many concurrent senders as connections.
 */
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { api_versions } from "@findersfee/samples/stripe/api-version";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { apiServer, type Bench, CONNECTIONS, loadGenerator, serve, withChildren } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram, type Program } from "../program.ts";
import { medianRate, spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { paidInvoice } from "./inbound-webhooks.ts";
import type { SignedEvents } from "./signed-events.ts";

const MIN_PER_SECOND = 2_000;
const SECRET = "whsec_bench0bench0bench0bench0bench0";
/** The same secret as the api process. */
const SECRETS_KEY = Buffer.alloc(32);

/** Question 3. */
export async function measureStripeIntake(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  await connect(program);
  const api = apiServer(bench);
  const load = loadGenerator();
  return await withChildren([api, load], async () => {
    const port = await serve(api, program.database_url);
    const send = eventsFor(program.organization_id);
    const seconds = bench.quick ? 1.5 : 4;
    const rounds: Measurement[] = [];
    for (let round = 0; round <= (bench.quick ? 2 : 5); round++) {
      const measured = await load.ask({ port, connections: CONNECTIONS, until: { seconds }, send });
      if (round > 0) rounds.push(measured);
    }
    const bytes = send.body.before.length + send.body.after.length;
    bench.print(
      formatTable([
        [`signed events of ${whole(bytes)} bytes stored, /s`, "p50 ms", "p99 ms"],
        ...rounds.map((item) => [whole(item.per_second), fine(item.p50_ms), fine(item.p99_ms)]),
      ]),
    );
    await requireStored(program, rounds);
    const per_second = medianRate(rounds);
    return [
      {
        question: `3 POST /processors/stripe, ${CONNECTIONS} connections`,
        measured: `${whole(per_second)}/s`,
        limit: `p99 ${fine(spread(rounds.map((round) => round.p99_ms)).median)} ms`,
        ratio: "",
        target: `>= ${whole(MIN_PER_SECOND)}/s`,
        met: per_second >= MIN_PER_SECOND,
      },
    ];
  });
}

async function connect(program: Program): Promise<void> {
  const input = { name: "stripe", signing_secret: SECRET, api_key: null, livemode: true } as const;
  await withConnection(program.database_url, (database) =>
    connectProcessor(contextOf(database, program.organization_id), SECRETS_KEY, input),
  );
}

function eventsFor(organization_id: string): SignedEvents {
  const [api_version] = api_versions;
  const invoice = paidInvoice(1, { customer: "cus_1", email: "customer@example.com" });
  const event = stripeEvent({ ...invoice, api_version });
  const text = JSON.stringify({ ...event, id: "EVENT_ID", livemode: true });
  // One byte per character, as the load generator counts.
  const ascii = text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const [before = "", after = ""] = ascii.split("EVENT_ID");
  return { kind: "post-stripe-events", organization_id, secret: SECRET, body: { before, after } };
}

/** Checks that all acknowledged events are stored. */
async function requireStored({ database_url }: Program, rounds: readonly Measurement[]): Promise<void> {
  const answered = rounds.reduce((sum, { count }) => sum + count, 0);
  await withConnection(database_url, async (database) => {
    const [row] = await database<
      [{ stored: number }]
    >`select count(*)::int as stored from processor_messages`;
    if (row.stored < answered)
      throw new Error(`${answered} events were acknowledged, but ${row.stored} are stored`);
  });
}
