import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { transaction } from "@findersfee/database/postgres/connect";
import { withoutTriggers } from "@findersfee/database/testing";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { referenceOf } from "@findersfee/domain/payouts/reference";
import { settlePayouts } from "@findersfee/domain/testing/postings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../test-service.ts";
import { download, type PaidOut, payOut, upload } from "./payout-run.ts";

const MANY = FULL_TESTS ? 100_000 : 50_000;
/** The least bytes of a line in the file. */
const LINE_BYTES = 120;
/** Enough for three PayPal files. */
const SEVERAL = 10_500;
/** The allowed additional memory for the large file, compared with a small one: less than the file. */
const MAX_GROWTH_BYTES = MANY * LINE_BYTES;
/** The sampling interval of memory. */
const LOOK_BYTES = 2 * 1024 * 1024;

let service: TestService;
let single: PaidOut;
let several: PaidOut;
let many: PaidOut;

beforeAll(async () => {
  service = await startTestService();
  single = await payOut(service, ["1 USD"]);
  several = await payOut(service, ["1 USD"]);
  many = await payOut(service, ["1 USD"]);
  await addPayouts(several, SEVERAL - 1);
  await addPayouts(many, MANY - 1);
});

afterAll(() => service.close());

/** Adds affiliates and their payouts to the run, without earnings. */
async function addPayouts({ program, run_id }: PaidOut, count: number): Promise<void> {
  const { organization_id } = program.organization;
  await withoutTriggers(service.database, async (sql) => {
    await sql`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved,
        new_paid_referral_notifications, created_at)
      select ${organization_id}, gen_random_uuid(), ${program.campaign.id}, 'many' || number || '@example.com',
        'Partner', number::text, true, false, now()
      from generate_series(1, ${count}::int) number`;
    await sql`
      insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency,
        period, payment_count, status, method, created_at, run_id, status_at, status_by)
      select organization_id, gen_random_uuid(), id, first_name || ' ' || last_name, email, 12345, 'USD', '2026-11',
        1, 'pending', 'manual', now(), ${run_id}, now(), 'test'
      from affiliates where organization_id = ${organization_id} and email like 'many%'`;
  });
  await service.database`analyze payouts`;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The memory that the process, both service and client here, needs. */
function held(): number {
  // Buffers of the first collection are freed by another thread, which the second awaits.
  collectGarbage();
  collectGarbage();
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** Reads an export in chunks, after an initial pause; returns the peak memory beyond the baseline. */
async function readCounting({ staff, run_id }: PaidOut) {
  const before = held();
  const response = await fetch(`${staff.url}/dashboard/payout-runs/${run_id}/export?format=csv`, {
    headers: staff.headers,
  });
  // Nothing is read yet; a service without backpressure would have read most of it by then.
  for (let other = 0; other < 20; other++) expect((await download(single, "format=csv")).status).toBe(200);
  const counted = { lines: 0, bytes: 0, growth_bytes: held() - before };
  for await (const chunk of response.body ?? []) {
    const looked = Math.floor(counted.bytes / LOOK_BYTES);
    counted.bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) counted.lines += 1;
    if (Math.floor(counted.bytes / LOOK_BYTES) === looked) continue;
    counted.growth_bytes = Math.max(counted.growth_bytes, held() - before);
  }
  return counted;
}

it(`streams ${MANY} payouts with bounded memory and backpressure`, async () => {
  const small = await readCounting(single);
  expect(small.lines).toBe(2);
  const large = await readCounting(many);
  expect(large.lines).toBe(MANY + 1);
  expect(large.bytes).toBeGreaterThan(MANY * LINE_BYTES);
  expect(large.growth_bytes - small.growth_bytes).toBeLessThan(MAX_GROWTH_BYTES);
});

it("survives clients that disconnect midway", async () => {
  const { staff, run_id } = many;
  for (let left = 0; left < 25; left++) {
    const leaving = new AbortController();
    const response = await fetch(`${staff.url}/dashboard/payout-runs/${run_id}/export?format=csv`, {
      headers: staff.headers,
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    leaving.abort();
  }
  // The limit is 20 at once.
  await expect.poll(async () => (await download(single, "format=csv")).status).toBe(200);
});

it("splits PayPal exports into files with each payout in exactly one, even if payouts change in between", async () => {
  const all = await download(several, "format=paypal");
  expect(all.status).toBe(400);
  expect(JSON.parse(all.text).error.issues).toEqual([
    { path: "file", message: "There are 3 files of at most 5000 payouts each." },
  ]);
  const references: string[] = [];
  const sizes: number[] = [];
  for (let file = 1; file <= 3; file++) {
    const { text, headers } = await download(several, `format=paypal&file=${file}`);
    expect(headers.get("content-disposition")).toContain(`-paypal-USD-${file}-of-3.csv"`);
    const lines = text.trimEnd().split("\r\n");
    sizes.push(lines.length);
    references.push(...lines.map((line) => line.split(",")[3] ?? ""));
    // A payout that is no longer payable does not move others to another file.
    await transaction(service.database, async (sql) => {
      const [first] = await sql<[{ id: string; organization_id: string }]>`
        select id, organization_id from payouts where run_id = ${several.run_id} and status = 'pending'
        order by affiliate_id limit 1`;
      await settlePayouts(sql, first.organization_id, { status: "canceled", ids: [first.id] });
    });
  }
  expect(sizes).toEqual([5_000, 5_000, 500]);
  expect(new Set(references).size).toBe(SEVERAL);
  expect((await download(several, "format=paypal&file=4")).status).toBe(400);
});

it(`imports the results of all remaining ${SEVERAL} payouts`, async () => {
  const rows = await service.database<{ id: string; amount: string }[]>`
    select id, (amount_minor / 100.0)::numeric(12, 2)::text as amount from payouts
    where run_id = ${several.run_id} and status = 'pending'`;
  expect(rows.length).toBeGreaterThan(SEVERAL - 4);
  const lines = rows.map(({ id, amount }) => `Completed,USD,-${amount},${referenceOf(id)}`);
  const file = ["Status,Currency,Gross,Custom Number", ...lines].join("\n");
  const { body } = await upload(several, "format=paypal", file);
  expect(body.data).toMatchObject({ paid: rows.length, failed: 0, open: 0, skipped: 0, failures: [] });
});
