/*
 * Question: how much do the guards, metrics and traces of statements cost? A referral is read with and without each hook. The
 * collector of traces runs in this process, too, so its work counts.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findReferral } from "@findersfee/database/customers/referrals";
import { connect, type Database, observe } from "@findersfee/database/postgres/connect";
import { observeAllPools } from "@findersfee/database/postgres/observer";
import { OutageGuard } from "@findersfee/database/postgres/outage-guard";
import { inSpan, useTracer } from "@findersfee/database/postgres/tracer";
import { Continuity } from "@findersfee/domain/continuity/continuity";
import { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import { Tracing } from "@findersfee/telemetry/tracing/open-telemetry";
import type { Bench } from "../bench.ts";
import { makeProgram, type Program } from "../program.ts";
import { compareTricks, formatTricks, type Trick } from "./compare.ts";

/** Reads at once: a connection that waits for each answer would have its process sleep and wake, which costs more than any hook. */
const AT_ONCE = 20;

/** The header of a trace that is not sampled. */
const NOT_SAMPLED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

/** Question 4. */
export async function measureHooks(bench: Bench): Promise<void> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  const closes: (() => Promise<unknown>)[] = [];
  const open = () => {
    const options = { url: program.database_url, poolSize: 4, prepare: true, name: "findersfee bench" };
    const database = connect(options);
    closes.unshift(() => database.end({ timeout: 5 }));
    return database;
  };
  try {
    const rounds = bench.quick ? 3 : 10;
    const plain = open();
    const pools = [
      { name: "none: the same statements twice", database: open() },
      await guarded(bench, open(), closes),
      measured(open()),
    ];
    const lines = await compareTricks(plain, pools.map(compared(program, plain)), rounds);
    const traces = await tracesOf(program, open(), closes);
    lines.push(...(await compareTricks(plain, traces, rounds)));
    bench.print(formatTricks(`hooks of ${AT_ONCE} statements`, lines));
  } finally {
    useTracer(null);
    for (const close of closes) await close();
  }
}

interface Hooked {
  name: string;
  database: Database;
}

/** A pool that fails at once in an outage, with a check of its history. */
async function guarded(
  bench: Bench,
  database: Database,
  closes: (() => Promise<unknown>)[],
): Promise<Hooked> {
  const guard = new OutageGuard(database);
  closes.unshift(() => guard.stop());
  const log = {
    info: () => {},
    error: (facts: object, message: string) => bench.print(`${message} ${JSON.stringify(facts)}`),
  };
  const continuity = new Continuity(database, {
    log,
    folder: bench.folder,
    name: "findersfee bench history",
  });
  closes.unshift(() => continuity.close());
  continuity.guard(database, { reads: true });
  await continuity.start();
  return { name: "guards of outages and of the history", database };
}

function measured(database: Database): Hooked {
  observe(database, new ProcessMetrics("0.0.0"));
  return { name: "metrics", database };
}

function compared({ organization_id, referral_ids }: Program, plain: Database): (hooked: Hooked) => Trick {
  const read = (database: Database) =>
    atOnce(() => findReferral(database, organization_id, referral_ids[0] ?? ""));
  return ({ name, database }) => ({ name, with: read(database), without: read(plain) });
}

function atOnce(read: () => Promise<unknown>): () => Promise<unknown> {
  return () => Promise.all(Array.from({ length: AT_ONCE }, read));
}

/** Reads within spans, which all pools of this process know from then on. */
async function tracesOf(
  { organization_id, referral_ids }: Program,
  database: Database,
  closes: (() => Promise<unknown>)[],
): Promise<Trick[]> {
  const collector = createServer((request, response) => request.resume().on("end", () => response.end()));
  await once(collector.listen(0, "127.0.0.1"), "listening");
  closes.push(async () => collector.close());
  const { port } = collector.address() as AddressInfo;
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  const onError = (error: unknown) => {
    throw error;
  };
  const tracing = new Tracing({
    service_name: "bench",
    version: "0.0.0",
    protocol: "http/protobuf",
    onError,
  });
  closes.unshift(() => tracing.close());
  observeAllPools(tracing);
  const read = () => findReferral(database, organization_id, referral_ids[0] ?? "");
  const untraced = atOnce(read);
  const without = () => {
    useTracer(null);
    return untraced();
  };
  const within = (parent: string | null) => {
    const traced = atOnce(() => inSpan({ name: "bench", kind: "server", parent }, read));
    return () => {
      useTracer(tracing);
      return traced();
    };
  };
  return [
    { name: "traces that are not sampled", with: within(NOT_SAMPLED), without },
    { name: "sampled traces of two spans", with: within(null), without },
  ];
}
