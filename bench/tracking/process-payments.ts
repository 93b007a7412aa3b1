/*
 * Question: how many payments per second become commissions? Processes invoices of referred customers, with
 * their commissions, events and deliveries: alone, and in a worker that also sends the deliveries to a
 * receiver on the same machine. For comparison, the same number of commissions is created manually in the
 * same database.
 */
import type { Database } from "@findersfee/database/postgres/connect";
import { migrateQueue } from "@findersfee/database/work/queue";
import { createCommission } from "@findersfee/domain/commissions/create";
import { processWebhooks } from "@findersfee/domain/testing/work";
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram, type Program } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { receiverProcess, startWork, workerProcess } from "../webhooks/children.ts";
import { subscribe } from "../webhooks/subscribers.ts";
import { fillMessages, paidInvoice, waitUntilProcessed } from "./inbound-webhooks.ts";

const MIN_PER_SECOND = 800;
const DUE_SECONDS = 6;
const BY_HAND_AT_ONCE = 32;

interface Round {
  alone: number;
  manual: number;
}

/** Question 4. */
export async function measureProcessing(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  const worker = workerProcess();
  return await withChildren([receiver, worker], async () => {
    const program = await makeProgram(await bench.server.createDatabase(), 0);
    await migrateQueue(program.database_url);
    const { port } = await receiver.ask({ job: "listen" });
    return await withConnection(program.database_url, async (database) => {
      await subscribe(database, program.organization_id, [`http://127.0.0.1:${port}/hooks`]);
      const payments = new Payments(database, program, bench.quick ? 2_000 : 6_000);
      const rounds: Round[] = [];
      for (let round = 0; round <= (bench.quick ? 2 : 5); round++) {
        const result = {
          alone: await payments.workOff(processAlone),
          manual: await payments.createManually(),
        };
        if (round > 0) rounds.push(result);
      }
      bench.print(describe(rounds));
      await startWork(worker, program.database_url);
      // Sends earlier deliveries first.
      await receiver.ask({ job: "wait", count: payments.deliveries });
      const sending = await payments.workOff(async () => {});
      return [againstTarget(rounds), whileSending(sending, rounds)];
    });
  });
}

function describe(rounds: readonly Round[]): string {
  return formatTable([
    ["payments processed, /s", "commissions by hand, /s", "ratio"],
    ...rounds.map(({ alone, manual }) => [whole(alone), whole(manual), fine(alone / manual)]),
  ]);
}

function againstTarget(rounds: readonly Round[]): Verdict {
  const per_second = spread(rounds.map(({ alone }) => alone)).median;
  return {
    question: "4 payments processed",
    measured: `${whole(per_second)}/s`,
    limit: `${whole(spread(rounds.map(({ manual }) => manual)).median)}/s by hand`,
    ratio: fine(spread(rounds.map(({ alone, manual }) => alone / manual)).median),
    target: `>= ${MIN_PER_SECOND}/s`,
    met: per_second >= MIN_PER_SECOND,
  };
}

function whileSending(per_second: number, rounds: readonly Round[]): Verdict {
  const alone = spread(rounds.map((item) => item.alone)).median;
  return {
    question: "  by a worker that also delivers",
    measured: `${whole(per_second)}/s`,
    limit: `${whole(alone)}/s alone`,
    ratio: fine(per_second / alone),
    target: "none",
    met: true,
  };
}

export async function processAlone(database: Database, organization_id: string): Promise<void> {
  for (let full = true; full; ) full = (await processWebhooks(database, organization_id)).full;
}

/** Payments of the program's customers, each reported once. */
export class Payments {
  readonly #database: Database;
  readonly #program: Program;
  readonly #at_once: number;
  readonly #click_ids: readonly string[];
  #next = 0;
  #manual = 0;

  /** `click_ids`: of each referral, in the payment's metadata. */
  constructor(database: Database, program: Program, at_once: number, click_ids: readonly string[] = []) {
    this.#database = database;
    this.#program = program;
    this.#at_once = at_once;
    this.#click_ids = click_ids;
  }

  /** Counts all results: each commission has an event, and the first one of each referral another one. */
  get deliveries(): number {
    return this.#next + this.#manual + Math.min(this.#program.referral_ids.length, this.#next);
  }

  /** Reports payments and has them processed; returns the rate per second. */
  async workOff(work: (database: Database, organization_id: string) => Promise<void>): Promise<number> {
    const { organization_id, referral_ids } = this.#program;
    const first = this.#next;
    this.#next += this.#at_once;
    const messages = Array.from({ length: this.#at_once }, (_, index) => {
      const number = (first + index) % referral_ids.length;
      const email = `customer-${number}@example.com`;
      const click_id = this.#click_ids[number];
      return paidInvoice(first + index, { customer: `cus_${number}`, email, ...(click_id && { click_id }) });
    });
    const due_at = await fillMessages(this.#database, {
      organization_id,
      messages,
      due_seconds: DUE_SECONDS,
    });
    while (new Date() <= due_at) await new Promise((resolve) => setTimeout(resolve, 5));
    await work(this.#database, organization_id);
    const done_at = await waitUntilProcessed(this.#database);
    const [made] = await this.#database<[{ count: number }]>`
      select count(*)::int as count from payment_decisions where outcome = 'commission'`;
    if (made.count !== this.#next) throw new Error(`${made.count} of ${this.#next} payments earned`);
    return (this.#at_once * 1000) / (done_at.getTime() - due_at.getTime());
  }

  /** Creates a third as many commissions manually; returns the rate per second. */
  async createManually(): Promise<number> {
    const { organization_id, referral_ids } = this.#program;
    const context = contextOf(this.#database, organization_id);
    const count = Math.round(this.#at_once / 3);
    this.#manual += count;
    const began = performance.now();
    let next = 0;
    const caller = async () => {
      for (let number = next++; number < count; number = next++) {
        const referral_id = referral_ids[number % referral_ids.length] ?? "";
        await createCommission(context, { referral_id, revenue_amount: 29, commission_amount: 8.7 });
      }
    };
    await Promise.all(Array.from({ length: BY_HAND_AT_ONCE }, caller));
    return (count * 1000) / (performance.now() - began);
  }
}
