import { eventually } from "@findersfee/database/testing/eventually";
import type { Plan } from "@findersfee/database/testing/faults/faulty-postgres";
import { FAULT_KINDS, FAULTS, type FaultKind } from "@findersfee/database/testing/faults/kinds";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { checkLate, runRound, type Script, type Work } from "./round.ts";
import { Stage } from "./stage.ts";

/** All faults instead of some; docs/contributing/testing.md has the command. */
export const ALL = process.env.FAULTS === "all";
/** The time limit of a test of one script. */
export const MATRIX_MILLISECONDS = ALL ? 3_600_000 : 900_000;
/** The number of equal calls that fail, each in a separate round. */
const SAME = ALL ? 3 : 1;
/** In the short form, one of this many calls fails. */
const EVERY = FULL_TESTS || ALL ? 1 : 20;
/** Scripts with few calls have at least this many rounds. */
const FEWEST = 4;
/** The calls that an idle worker makes. */
const IDLE_CALLS = 40;
/** More would take long to find the same. */
const MAX_PROBLEMS = 5;

/** Gauges of deliveries and other work that is due or under way. */
const BACKLOG = /^(deliveries_in_flight|work_)/;

const KINDS = {
  before: FAULT_KINDS.filter((kind) => FAULTS[kind].moment === "before"),
  after: FAULT_KINDS.filter((kind) => FAULTS[kind].moment === "after"),
};

/** A call of a round: its text, and its number among calls with that text. */
interface Site {
  sql: string;
  occurrence: number;
}

export interface MatrixResult {
  rounds: number;
  /** Rounds in which a call was made to fail. */
  faulty: number;
  problems: string[];
}

/**
 * Runs scripts once for each call that they make and each kind of fault; or, unless all are asked for, two kinds: one before
 * the call takes effect and one after, in turn. In the short form, every
 * twentieth call fails in one of these ways. With `with_idle`, the calls of an idle worker fail, too.
 */
export async function runMatrix(
  stage: Stage,
  { scripts, with_idle }: { scripts: readonly Script[]; with_idle: boolean },
): Promise<MatrixResult> {
  const idle = await idleCalls(stage);
  const sites = await sitesOf(stage, scripts);
  const works: Work[] = [];
  const result: MatrixResult = { rounds: 0, faulty: 0, problems: [] };
  const failing = sites.filter(({ sql }) => with_idle || !idle.has(sql));
  const every = Math.max(1, Math.min(EVERY, Math.floor(failing.length / FEWEST)));
  for (const [index, site] of failing.filter((_, number) => number % every === 0).entries()) {
    for (const kind of kindsAt(index)) {
      const round = await runRound(stage, { scripts, plan: failAt(site, kind) });
      works.push(...round.works);
      result.rounds += 1;
      result.faulty += round.failed.length;
      result.problems.push(...round.problems.map((problem) => `${describe(site, kind)}: ${problem}`));
      if (result.problems.length >= MAX_PROBLEMS) return result;
    }
  }
  result.problems.push(...(await checkLate(works)));
  if (result.problems.length === 0) await expectNoBacklog(stage);
  return result;
}

/** The same for one script, on a stage of its own. */
export async function runJobMatrix(script: Script): Promise<MatrixResult> {
  const stage = await Stage.open();
  try {
    await stage.startWorker();
    return await runMatrix(stage, { scripts: [script], with_idle: false });
  } finally {
    await stage.close();
  }
}

/** When all is done, the gauges say so. */
async function expectNoBacklog(stage: Stage): Promise<void> {
  await eventually(async () => {
    const gauges = Object.entries(await stage.gauges()).filter(([name]) => BACKLOG.test(name));
    const others = gauges.filter(([, value]) => value !== 0).map(([name, value]) => `${name} is ${value}`);
    if (gauges.length === 0 || others.length > 0) throw new Error(`the gauges: ${others.join()}`);
  });
}

function kindsAt(index: number): readonly FaultKind[] {
  if (ALL) return FAULT_KINDS;
  if (FULL_TESTS) return [KINDS.before, KINDS.after].flatMap((kinds) => kinds[index % kinds.length] ?? []);
  const kinds = index % 2 === 0 ? KINDS.before : KINDS.after;
  return [kinds[(index >> 1) % kinds.length] ?? []].flat();
}

async function idleCalls(stage: Stage): Promise<Set<string>> {
  const seen = new Set<string>();
  stage.faulty.follow(({ sql }) => {
    seen.add(sql);
    return null;
  });
  await eventually(() => {
    if (stage.faulty.calls < IDLE_CALLS) throw new Error(`${stage.faulty.calls} calls`);
  });
  return seen;
}

/** The calls of a round in which none fails. */
async function sitesOf(stage: Stage, scripts: readonly Script[]): Promise<Site[]> {
  const times = new Map<string, number>();
  const sites: Site[] = [];
  const { problems } = await runRound(stage, {
    scripts,
    plan: ({ sql }) => {
      const occurrence = (times.get(sql) ?? 0) + 1;
      times.set(sql, occurrence);
      if (occurrence <= SAME) sites.push({ sql, occurrence });
      return null;
    },
  });
  if (problems.length > 0) throw new Error(`without a fault: ${problems.join("; ")}`);
  return sites;
}

function failAt(site: Site, kind: FaultKind): Plan {
  let occurrence = 0;
  return ({ sql }) => {
    if (sql !== site.sql) return null;
    occurrence += 1;
    return occurrence === site.occurrence ? kind : null;
  };
}

function describe({ sql, occurrence }: Site, kind: FaultKind): string {
  return `${kind} at ${occurrence}. ${sql.replaceAll(/\s+/g, " ").trim().slice(0, 100)}`;
}
