/*
 * Question: does attribution stay fast with many clicks and referrals? New customers who followed a link
 * check out and pay; once with a hundredth of the clicks and referrals, once with all of them.
 */

import type { Database } from "@findersfee/database/postgres/connect";
import { CLICKS as CLICKS_TABLE, makePartitions } from "@findersfee/database/postgres/partitions";
import { processWebhooks } from "@findersfee/domain/testing/work";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram, type Program } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict } from "../table.ts";
import { completedCheckout, fillMessages, type Message, paidInvoice } from "./inbound-webhooks.ts";

const MAX_RATIO = 1.3;
const CLICKS = 1_000_000;
const REFERRALS = 100_000;
const SMALLER = 100;
const DUE_SECONDS = 4;

interface Side {
  program: Program;
  clicks: number;
  next: number;
}

/** Question 5. */
export async function measureAttribution(bench: Bench): Promise<Verdict[]> {
  const share = bench.quick ? 10 : 1;
  const few = await makeSide(bench, SMALLER * share);
  const many = await makeSide(bench, share);
  const customers = bench.quick ? 300 : 800;
  const rounds: { few: number; many: number }[] = [];
  for (let round = 0; round <= (bench.quick ? 3 : 7); round++) {
    const result = { few: await attribute(few, customers), many: await attribute(many, customers) };
    if (round > 0) rounds.push(result);
  }
  bench.print(
    formatTable([
      ["ms per customer, few clicks", "many clicks", "ratio"],
      ...rounds.map((item) => [fine(item.few), fine(item.many), fine(item.many / item.few)]),
    ]),
  );
  const ratio = spread(rounds.map((item) => item.many / item.few)).median;
  return [
    {
      question: `5 attribution with ${many.clicks} clicks`,
      measured: `${fine(spread(rounds.map((round) => round.many)).median)} ms`,
      limit: `${fine(spread(rounds.map((round) => round.few)).median)} ms with ${few.clicks}`,
      ratio: fine(ratio),
      target: `<= ${MAX_RATIO}`,
      met: ratio <= MAX_RATIO,
    },
  ];
}

async function makeSide(bench: Bench, smaller: number): Promise<Side> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  const clicks = CLICKS / smaller;
  await withConnection(program.database_url, async (sql) => {
    await makePartitions(sql, CLICKS_TABLE, { ahead: 0 });
    await fillClicks(sql, program, clicks);
    await fillReferrals(sql, program, REFERRALS / smaller);
    await sql`vacuum analyze`;
  });
  return { program, clicks, next: 0 };
}

/** Recent clicks; their ids contain their times, as in the service. */
async function fillClicks(
  sql: Database,
  { organization_id, affiliate_ids }: Program,
  clicks: number,
): Promise<void> {
  await sql`
    insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at)
    select ${organization_id}::uuid,
      (lpad(to_hex(milliseconds / 65536), 8, '0') || '-' || lpad(to_hex(milliseconds % 65536), 4, '0')
        || '-7000-8' || lpad(to_hex(number % 4096), 3, '0') || '-' || lpad(to_hex(number), 12, '0'))::uuid,
      (${affiliate_ids}::uuid[])[1 + number % ${affiliate_ids.length}], 'jane', decode(repeat('00', 32), 'hex'),
      to_timestamp(milliseconds / 1000.0)
    from (
      select number, (extract(epoch from now()) * 1000)::bigint - 60000 - number % 200000 as milliseconds
      from generate_series(1, ${clicks}::int) as number) as click`;
}

async function fillReferrals(
  sql: Database,
  { organization_id, affiliate_ids }: Program,
  referrals: number,
): Promise<void> {
  await sql`
    insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date,
      processor_customer_id, created_at)
    select ${organization_id}::uuid, gen_random_uuid(), (${affiliate_ids}::uuid[])[1 + number % ${affiliate_ids.length}],
      'old-' || number || '@example.com', 'active', now(), 'cus_old_' || number, now()
    from generate_series(1, ${referrals}::int) as number`;
}

/** Milliseconds to process a new customer's checkout and payment. */
async function attribute(side: Side, customers: number): Promise<number> {
  const { program } = side;
  return await withConnection(program.database_url, async (sql) => {
    const clicks = await sql<{ id: string }[]>`select id from clicks order by random() limit ${customers}`;
    const messages = clicks.flatMap(({ id: click_id }): Message[] => {
      const number = side.next++;
      const customer = { customer: `cus_new_${number}`, email: `new-${number}@example.com` };
      return [completedCheckout(number, { ...customer, click_id }), paidInvoice(number, customer)];
    });
    const { organization_id } = program;
    const due_at = await fillMessages(sql, { organization_id, messages, due_seconds: DUE_SECONDS });
    while (new Date() <= due_at) await new Promise((resolve) => setTimeout(resolve, 10));
    const began = performance.now();
    for (let full = true; full; ) full = (await processWebhooks(sql, organization_id)).full;
    const milliseconds = performance.now() - began;
    const [earned] = await sql<[{ count: number }]>`
      select count(*)::int as count from payment_decisions where outcome = 'commission'`;
    if (earned.count !== side.next) throw new Error(`${earned.count} of ${side.next} payments earned`);
    return milliseconds / customers;
  });
}
