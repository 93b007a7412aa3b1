/*
 * Answers: how many payments a second become commissions? Invoices of customers who are referrals, worked off
 * by a worker with their commissions, events and deliveries, against the same number of commissions that are
 * created by hand and written together in the same database.
 */
import type { Database } from "@findersfee/database/connect";
import { migrateQueue } from "@findersfee/database/queue";
import { createCommission } from "@findersfee/domain/commissions/create";
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram, type Program } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { workerProcess } from "../webhooks/drain.ts";
import { SECRETS_KEY, subscribe } from "../webhooks/subscribers.ts";
import { fillMessages, paidInvoice, workedOff } from "./stripe-messages.ts";

const LEAST_PER_SECOND = 800;
const DUE_SECONDS = 6;
const BY_HAND_AT_ONCE = 32;

/** Question 4. */
export async function judgeWorkOff(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  await migrateQueue(program.database_url);
  const payments = bench.quick ? 2_000 : 6_000;
  const worker = workerProcess();
  return await withChildren([worker], () =>
    withConnection(program.database_url, async (database) => {
      // Nobody listens there: the deliveries are made and their sending costs little.
      await subscribe(database, program.organization_id, ["http://127.0.0.1:9/hooks"]);
      await worker.ask({
        database_url: program.database_url,
        pool_size: 6,
        secrets_key: SECRETS_KEY.toString("base64"),
      });
      const rounds: { payments: number; by_hand: number }[] = [];
      for (let round = 0; round <= (bench.quick ? 2 : 5); round++) {
        const one = {
          payments: await workOff(database, program, { payments, first: round * payments }),
          by_hand: await createByHand(database, program, Math.round(payments / 3)),
        };
        if (round > 0) rounds.push(one);
      }
      bench.say(
        formatTable([
          ["payments worked off, /s", "commissions by hand, /s", "ratio"],
          ...rounds.map((one) => [whole(one.payments), whole(one.by_hand), fine(one.payments / one.by_hand)]),
        ]),
      );
      const per_second = spread(rounds.map((one) => one.payments)).median;
      const ratio = spread(rounds.map((one) => one.payments / one.by_hand)).median;
      return [
        {
          question: "4 payments worked off",
          measured: `${whole(per_second)}/s`,
          limit: `${whole(spread(rounds.map((one) => one.by_hand)).median)}/s by hand`,
          ratio: fine(ratio),
          target: `>= ${LEAST_PER_SECOND}/s`,
          met: per_second >= LEAST_PER_SECOND,
        },
      ];
    }),
  );
}

async function workOff(
  database: Database,
  { organization_id, referral_ids }: Program,
  { payments, first }: { payments: number; first: number },
): Promise<number> {
  const messages = Array.from({ length: payments }, (_, index) => {
    const number = (first + index) % referral_ids.length;
    return paidInvoice(first + index, { customer: `cus_${number}`, email: `customer-${number}@example.com` });
  });
  const due_at = await fillMessages(database, { organization_id, messages, due_seconds: DUE_SECONDS });
  const done_at = await workedOff(database);
  const [made] = await database<[{ count: number }]>`
    select count(*)::int as count from payment_decisions where outcome = 'commission'`;
  if (made.count !== first + payments)
    throw new Error(`${made.count} of ${first + payments} payments earned`);
  return (payments * 1000) / (done_at.getTime() - due_at.getTime());
}

async function createByHand(
  database: Database,
  { organization_id, referral_ids }: Program,
  count: number,
): Promise<number> {
  const context = contextOf(database, organization_id);
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
