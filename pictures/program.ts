/* Fills an organization with a program of a hundred days: clicks, customers who pay monthly, refunds, and three payout runs. */
import type { Database } from "@findersfee/database/postgres/connect";
import { createAffiliate } from "@findersfee/domain/affiliates/create";
import { createCampaign } from "@findersfee/domain/campaigns/create";
import { CommissionBatchWriter } from "@findersfee/domain/commissions/batch-writer";
import type { CreationContext } from "@findersfee/domain/commissions/create";
import { newId } from "@findersfee/domain/ids";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { rebuildTotals } from "@findersfee/domain/reports/totals/rebuild";
import { signIn } from "@findersfee/domain/testing/accounts";
import { report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment, refund, subscription } from "@findersfee/domain/testing/attribution/reported";
import { workPayoutRuns } from "@findersfee/domain/testing/work";
import { customerEmail, PEOPLE, type Person } from "./people.ts";

const DAYS = 100;
const DAY_MILLISECONDS = 86_400_000;
const HOUR_MILLISECONDS = 3_600_000;
/** Monthly prices of the invented company's plans, in cents. */
const PRICES = [2_900n, 7_900n, 7_900n, 19_900n];
const RUNS_DAY = 3;

interface Member extends Person {
  affiliate_id: string;
}

/** A customer's first purchase, and the clicks before it. */
interface Sale {
  number: number;
  at: Date;
  price: bigint;
  clicks: { member: Member; at: Date; sub_id: string | null }[];
}

export interface Program {
  organization_id: string;
  slug: string;
  /** The cookie of an owner's session. */
  cookie: string;
  /** The affiliate of the shown portal. */
  email: string;
  /** A payment that two affiliates could have earned. */
  decision_id: string;
  run_id: string;
}

/** The same numbers in each run, so that pictures differ only where the product does (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function fillProgram(database: Database, now = new Date()): Promise<Program> {
  const { context, cookie } = await createContext(database);
  const { id } = context.organization;
  const members = await addMembers(context, now);
  const sales = planSales(members, now);
  await insertClicks(context, members, sales, now);
  const run_id = await sellAndPay(context, sales, now);
  await dateBack(context);
  await rebuildTotals(database, id);
  const [organization] = await database<[{ slug: string }]>`select slug from organizations where id = ${id}`;
  const [decision] = await database<[{ id: string }]>`
    select id from payment_decisions
    where organization_id = ${id} and payment_id = ${invoiceOf(contested(sales), 0)} and replaced_at is null`;
  return {
    organization_id: id,
    slug: organization.slug,
    cookie,
    email: PEOPLE[0]?.email ?? "",
    decision_id: decision.id,
    run_id,
  };
}

async function createContext(database: Database): Promise<{ context: CreationContext; cookie: string }> {
  const { organization_id } = await createOrganization(database, {
    ...{ name: "Tidewater", currency: "USD", subscription_status: "active" },
  });
  await database`update organizations set brand_color = '#0f766e', payout_day = ${RUNS_DAY} where id = ${organization_id}`;
  const owner = await signIn(database, { organization_id, role: "owner", name: "Alex Morgan" });
  const context: CreationContext = {
    database,
    organization: { id: organization_id, currency: "USD", subscription_status: "active" },
    actor: { kind: "user", id: owner.user_id },
    idempotency: null,
    commission_writer: new CommissionBatchWriter(database),
    notifyWorkers: () => {},
  };
  await updateSettings(context, { hold_days: 14, minimum_payouts: { USD: 50 } });
  return { context, cookie: owner.cookie };
}

async function addMembers(context: CreationContext, now: Date): Promise<Member[]> {
  const shared = { website_url: "https://tidewater.example", commission_type: "percentage" } as const;
  const creators = await createCampaign(context, {
    ...shared,
    ...{ name: "Creators", commission_amount: 30, code_mode: "link", is_default: true },
    ...{ limit_type: "months", limit_amount: 12, cookie_duration: 60 },
    first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
    dashboard_text:
      "Logos and screenshots are at https://tidewater.example/press. Write to us before you run ads on our name.",
  });
  const agencies = await createCampaign(context, {
    ...shared,
    ...{ name: "Agencies", commission_amount: 20, code_mode: "link", is_default: false, cookie_duration: 90 },
  });
  const campaigns = { creators: creators.id, agencies: agencies.id };
  const members: Member[] = [];
  for (const person of PEOPLE) {
    const { campaign, clicks_per_day: _, conversion: __, ...fields } = person;
    const { id } = await createAffiliate(context, {
      ...fields,
      campaign_id: campaigns[campaign],
      payout_email: person.email,
    });
    members.push({ ...person, affiliate_id: id });
  }
  for (const [first_name, last_name] of [
    ["Elif", "Kaya"],
    ["Owen", "Hughes"],
  ] as const) {
    const email = `${first_name.toLowerCase()}@${last_name.toLowerCase()}.example`;
    const fields = { first_name, last_name, email, campaign_id: creators.id };
    await createAffiliate(context, { ...fields, approved: false });
  }
  const joined_at = new Date(now.getTime() - (DAYS + 20) * DAY_MILLISECONDS);
  await context.database`
    update affiliates set created_at = ${joined_at}
    where organization_id = ${context.organization.id} and approved`;
  return members;
}

/** Customers by the clicks of each affiliate, more from week to week, and some without a click in time. */
function planSales(members: readonly Member[], now: Date): Sale[] {
  const random = createRandom(7);
  const sales: Sale[] = [];
  for (let day = DAYS; day > 0; day--) {
    for (const member of members) {
      const growth = 0.5 + (DAYS - day) / DAYS;
      if (random() > member.clicks_per_day * member.conversion * growth) continue;
      const at = new Date(now.getTime() - day * DAY_MILLISECONDS + random() * 20 * HOUR_MILLISECONDS);
      const clicked_at = new Date(at.getTime() - random() * 6 * DAY_MILLISECONDS);
      const price = PRICES[Math.floor(random() * PRICES.length)] ?? 0n;
      const sub_id = ["newsletter", "video", null][Math.floor(random() * 3)] ?? null;
      sales.push({ number: sales.length, at, price, clicks: [{ member, at: clicked_at, sub_id }] });
    }
    // Customers that nobody referred, and one in four with a click that is too old.
    if (random() < 0.4) {
      const at = new Date(now.getTime() - (day - random() * 0.8) * DAY_MILLISECONDS);
      const member = members[Math.floor(random() * members.length)];
      const clicked_at = new Date(at.getTime() - 95 * DAY_MILLISECONDS);
      const is_late = member !== undefined && random() < 0.25;
      const clicks = is_late ? [{ member, at: clicked_at, sub_id: null }] : [];
      sales.push({ number: sales.length, at, price: 2_900n, clicks });
    }
  }
  const sale = contested(sales);
  const rival = members.find(({ affiliate_id }) => affiliate_id !== sale.clicks[0]?.member.affiliate_id);
  const stale = members.at(2);
  if (rival === undefined || stale === undefined) throw new Error("there are too few affiliates");
  const before = (days: number) => new Date(sale.at.getTime() - days * DAY_MILLISECONDS);
  sale.clicks.unshift(
    { member: stale, at: before(67), sub_id: null },
    { member: rival, at: before(9), sub_id: "newsletter" },
  );
  sale.price = 19_900n;
  return sales;
}

/** The newest sale of the first affiliate to a customer who had also clicked the links of two others. */
function contested(sales: readonly Sale[]): Sale {
  const found = sales.findLast(({ clicks }) => clicks.at(-1)?.member.ref_code === PEOPLE[0]?.ref_code);
  if (found === undefined) throw new Error("the first affiliate sold nothing");
  return found;
}

const click_ids = new WeakMap<Sale["clicks"][number], string>();

async function insertClicks(
  { database, organization }: CreationContext,
  members: readonly Member[],
  sales: readonly Sale[],
  now: Date,
): Promise<void> {
  const random = createRandom(11);
  const rows = sales.flatMap(({ clicks }) => clicks.map((click) => ({ ...click, click })));
  const others = Array.from({ length: DAYS }, (_, day) =>
    members.flatMap((member) => {
      const growth = 0.5 + (DAYS - day) / DAYS;
      const count = Math.round(member.clicks_per_day * growth * (0.5 + random()));
      return Array.from({ length: count }, () => {
        const at = new Date(now.getTime() - (day + random()) * DAY_MILLISECONDS);
        return { member, at, sub_id: ["newsletter", "video", null][Math.floor(random() * 3)] ?? null };
      });
    }),
  ).flat();
  for (const { click, at } of rows) click_ids.set(click, newId(at));
  const all = [
    ...rows.map(({ click }) => ({ ...click, id: click_ids.get(click) ?? "" })),
    ...others.map((click) => ({ ...click, id: newId(click.at) })),
  ];
  for (const month of new Set(all.map(({ at }) => at.toISOString().slice(0, 7)))) {
    const next = new Date(`${month}-01T00:00:00Z`);
    next.setUTCMonth(next.getUTCMonth() + 1);
    await database.unsafe(
      `create table clicks_of_${month.replace("-", "_")} partition of clicks
       for values from ('${month}-01T00:00:00Z') to ('${next.toISOString()}')`,
    );
  }
  const inserted = all.map(({ id, at, member, sub_id }) => ({
    ...{ organization_id: organization.id, id, affiliate_id: member.affiliate_id, code: member.ref_code },
    ...{ visitor_hash: Buffer.alloc(32), sub_id, clicked_at: at },
  }));
  for (let start = 0; start < inserted.length; start += 1_000) {
    await database`insert into clicks ${database(inserted.slice(start, start + 1_000))}`;
  }
}

/** Reports the payments in the order in which they were made, and pays the affiliates each month. Returns the last run. */
async function sellAndPay(context: CreationContext, sales: readonly Sale[], now: Date): Promise<string> {
  let run_id = "";
  const facts = sales.flatMap((sale) =>
    monthsOf(sale, now).map((month) => ({ sale, month, at: paidAt(sale, month) })),
  );
  facts.sort((left, right) => left.at.getTime() - right.at.getTime());
  for (const run_at of [...runTimes(now), now]) {
    while (facts[0] !== undefined && facts[0].at < run_at) {
      const fact = facts.shift();
      if (fact !== undefined) await reportPayment(context, fact);
    }
    if (run_at !== now) run_id = await pay(context, run_at);
  }
  return run_id;
}

const paidAt = ({ at }: Sale, month: number) => new Date(at.getTime() + month * 30 * DAY_MILLISECONDS);
const invoiceOf = ({ number }: Sale, month: number) => `in_1R${String(number).padStart(4, "0")}Tw${month}`;

/** The customer pays every 30 days. */
function monthsOf(sale: Sale, now: Date): number[] {
  return [0, 1, 2, 3].filter((month) => paidAt(sale, month) < now);
}

/** The days of payout runs, the oldest first. */
function runTimes(now: Date): Date[] {
  const times = [2, 1, 0].map(
    (months) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, RUNS_DAY, 8)),
  );
  return times.filter((time) => time < now);
}

async function reportPayment(
  context: CreationContext,
  { sale, month, at }: { sale: Sale; month: number; at: Date },
): Promise<void> {
  const { number, price, clicks } = sale;
  const customer_id = `cus_R${String(number).padStart(5, "0")}`;
  const email = customerEmail(number);
  const subject = invoiceOf(sale, month);
  const paid = payment({ subject, customer_id, email, at, revenue_minor: price, paid_minor: price });
  if (month > 0) await report(context, paid);
  else {
    const ids = clicks.map((click) => click_ids.get(click) ?? "");
    await report(
      context,
      checkout({ subject: `cs_R${number}`, customer_id, email, click_ids: ids, at }),
      subscription({ subject: `sub_R${number}`, customer_id, at }),
      paid,
    );
  }
  if (number % 23 === 11 && month === 0) {
    const refunded_at = new Date(at.getTime() + 2 * DAY_MILLISECONDS);
    await report(
      context,
      refund({ subject: `re_R${number}`, amount_minor: price, references: [subject], at: refunded_at }),
    );
  }
}

/** Runs a month's payouts, and dates them back to their day. All are paid but some of the newest. */
async function pay(context: CreationContext, at: Date): Promise<string> {
  const { database, organization } = context;
  const { id } = await startPayoutRun(context, { period: at.toISOString().slice(0, 7), method: "paypal" });
  await workPayoutRuns(database, new AbortController().signal);
  const payouts = await database<{ id: string }[]>`
    select id from payouts where organization_id = ${organization.id} and run_id = ${id} order by amount_minor desc`;
  const ids = payouts.map((payout) => payout.id);
  const is_last = at.getUTCMonth() === new Date().getUTCMonth();
  const paid = is_last ? ids.slice(0, -4) : ids;
  if (paid.length > 0) await movePayouts(context, { ids: paid, status: "paid", through_processing: true });
  if (is_last) {
    const [failed = "", ...processing] = ids.slice(-4);
    await movePayouts(context, {
      ids: [failed],
      status: "failed",
      reason: "PayPal: the receiver's account is restricted",
    });
    await movePayouts(context, { ids: processing, status: "processing" });
  }
  await database`
    update payout_runs set created_at = ${at}, finished_at = ${at}
    where organization_id = ${organization.id} and id = ${id}`;
  await database`
    update payouts set created_at = ${at}, status_at = ${new Date(at.getTime() + 5 * HOUR_MILLISECONDS)}
    where organization_id = ${organization.id} and run_id = ${id}`;
  return id;
}

/**
 * The service decided all payments now: a program that ran for months would have done so when they were made, and its affiliates would
 * have accepted their invitations.
 */
async function dateBack({ database, organization }: CreationContext): Promise<void> {
  await database`
    update payment_decisions set decided_at = paid_at where organization_id = ${organization.id}`;
  await database`
    update affiliates set agreed_at = created_at where organization_id = ${organization.id} and approved`;
  await database`
    update referrals set converted_at = signup_date
    where organization_id = ${organization.id} and converted_at is not null`;
}
