/*
 * Question: how long does a write wait while migrations of the next version run on large tables? The migrations are of each kind that
 * docs/contributing/changes.md allows between two versions that run side by side. Two clients create commissions without a pause; the
 * limit is their longest wait before, in the same run.
 */
import { createHash } from "node:crypto";
import { type Migration, readMigrations } from "@findersfee/database/migrations";
import { migrate } from "@findersfee/database/schema/migrate";
import { apiServer, type Bench, loadGenerator, serve, withChildren } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram, type Program } from "../program.ts";
import { fine, type Verdict, whole } from "../table.ts";

const MAX_MS = 1000;
/** One for each core of a small machine. */
const CLIENTS = 2;
const ROUND_SECONDS = 2;
/** Rounds before the migrations. */
const FORMER_ROUNDS = 5;

const IN_TRANSACTION = [
  "alter table commissions add column next_note text, add column next_state text not null default 'open'",
  "alter table events add column next_note text",
  "alter table commissions add constraint next_note_length check (char_length(next_note) < 100) not valid",
  `alter table commissions add constraint next_affiliate foreign key (organization_id, affiliate_id)
    references affiliates (organization_id, id) not valid`,
  `create function next_noted() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger next_noted after insert on commissions for each row execute function next_noted()`,
];
const OUTSIDE = [
  "create index concurrently if not exists next_notes on commissions (organization_id, next_note, id)",
  "create index concurrently if not exists next_notes_of_events on events (organization_id, next_note, id)",
  "alter table commissions validate constraint next_note_length",
  "alter table commissions validate constraint next_affiliate",
];

/** The migrations of this version, and those of the next one. */
async function nextMigrations(): Promise<Migration[]> {
  const known = await readMigrations();
  const last = known.at(-1)?.number ?? 0;
  const since = `-- compatible since ${String(last).padStart(4, "0")}\n`;
  const texts = [
    ...IN_TRANSACTION.map((text) => `${since}${text};\n`),
    ...OUTSIDE.map((text) => `${since}-- outside of a transaction\n${text};\n`),
  ];
  const added = texts.map((sql, index): Migration => {
    const number = last + 1 + index;
    const checksum = createHash("sha256").update(sql).digest("hex");
    return { number, name: `${String(number).padStart(4, "0")}_next.sql`, sql, checksum };
  });
  return [...known, ...added];
}

/** Question 6. */
export async function measureUpgrade(bench: Bench): Promise<Verdict[]> {
  const commissions = bench.quick ? 100_000 : 1_000_000;
  const program = await makeProgram(await bench.server.createDatabase(), commissions);
  const api = apiServer(bench);
  const load = loadGenerator();
  return await withChildren([api, load], async () => {
    const port = await serve(api, program.database_url);
    const write = () => load.ask(postsFor(program, port));
    const before: Measurement[] = [];
    for (let round = 0; round < FORMER_ROUNDS; round += 1) before.push(await write());
    const during = await writeWhile(write, () => upgrade(program));
    const after = await write();
    const limit = longestOf([...before, after]);
    const longest = longestOf(during.measurements);
    bench.print(
      `${whole(during.migrations)} migrations in ${fine(during.seconds)} s, with ${whole(
        during.measurements.reduce((sum, { count }) => sum + count, 0),
      )} writes`,
    );
    return [
      {
        question: `6 longest wait of POST /v1/commissions during an upgrade, ${whole(commissions)} rows`,
        measured: `${fine(longest)} ms`,
        limit: `${fine(limit)} ms before and after`,
        ratio: fine(longest / limit),
        target: `<= ${MAX_MS} ms`,
        met: longest <= MAX_MS,
      },
    ];
  });
}

function postsFor({ api_key, referral_ids }: Program, port: number) {
  return {
    port,
    connections: CLIENTS,
    until: { seconds: ROUND_SECONDS },
    send: { kind: "post-commissions", api_key, referral_ids },
  } as const;
}

/** Writes round after round until `work` is done, and until a whole round was made after it. */
async function writeWhile(write: () => Promise<Measurement>, work: () => Promise<number>) {
  const began_at = performance.now();
  let seconds: number | null = null;
  const working = work().finally(() => {
    seconds = (performance.now() - began_at) / 1000;
  });
  const measurements: Measurement[] = [];
  do measurements.push(await write());
  while (seconds === null);
  measurements.push(await write());
  return { migrations: await working, seconds, measurements };
}

/** Returns the number of migrations. */
async function upgrade({ database_url }: Program): Promise<number> {
  const migrations = await nextMigrations();
  return await withConnection(database_url, async (sql) => (await migrate(sql, migrations)).length);
}

function longestOf(measurements: readonly Measurement[]): number {
  return Math.max(...measurements.map(({ max_ms }) => max_ms));
}
