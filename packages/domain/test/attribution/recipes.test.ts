/* Runs each recipe of docs/recipes.md: its payments earn the amounts in its table. */
import { readFile } from "node:fs/promises";
import { setAffiliateRulesInput } from "@findersfee/contract/affiliates/rules";
import { createCampaignInput } from "@findersfee/contract/campaigns/campaigns";
import { addDays } from "@findersfee/contract/reports/periods";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { setAffiliateRules } from "../../src/affiliates/rules.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { PaymentMade } from "../../src/attribution/facts/payment-fact.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { makeContext } from "../subscriber.ts";
import { bring, evaluate, makeTierContext, measuredUntil, seal, yesterday } from "../tier-program.ts";
import { addPartner, click, report } from "./program.ts";
import { payment } from "./reported.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

interface Recipe {
  title: string;
  body: object;
  payments: {
    at: Date;
    tags: string[];
    /** Customers of the affiliate by then; they count for its tier. */
    customers: number;
    made: Partial<PaymentMade>;
    commission_minor: bigint;
    waits: boolean;
  }[];
}

/**
 * The recipes begin on 5 January 2026. Clicks are kept for 400 days, so their years move on, by so many that the clicks of
 * 4 January are 32 to 397 days old.
 */
const YEARS = new Date(Date.now() - 35 * DAY_MILLISECONDS).getUTCFullYear() - 2026;

const written = await readFile(new URL("../../../../docs/recipes.md", import.meta.url), "utf8");
const source = written.replace(/\b\d{4}(?=-\d\d-\d\d)/g, (year) => String(Number(year) + YEARS));
const recipes = source.split(/^## /m).slice(1).map(readRecipe);

function readRecipe(section: string): Recipe {
  const [title = ""] = section.split("\n");
  const [, json = ""] = /```json\n(.*?)```/s.exec(section) ?? [];
  const rows = [...section.matchAll(/^\| (\d{4}-\d\d-\d\d) +\| (.*?) +\| (.*?) +\|$/gm)];
  return {
    title,
    body: JSON.parse(json),
    payments: rows.map(([, day = "", sold = "", commission = ""]) => ({
      at: new Date(day),
      tags: [...sold.matchAll(/, tagged (\w+)$/g)].map(([, tag = ""]) => tag),
      customers: Number(/, after (\d+) customers$/.exec(sold)?.[1] ?? 0),
      made: readPayment(sold),
      commission_minor: commission === "nothing" ? 0n : readMoney(commission.replace(/, waits$/, "")),
      waits: commission.endsWith(", waits"),
    })),
  };
}

/**
 * `$49.00 by the month, with the code LAUNCH`, `$100.00 once, of prod_gift_card`, `$49.00 once, tagged agency`, `$49.00 once, after 5
 * customers`, or `$49.00 once, by buyer@acme.test`.
 */
function readPayment(text: string): Partial<PaymentMade> {
  const [, price = "", unit] =
    /^(\S+) (?:once|by the (month|year))(?:, of \w+|, with the code \w+|, tagged \w+|, after \d+ customers|, by \S+)?$/.exec(
      text,
    ) ?? [];
  const [, product_id = null] = /, of (\w+)$/.exec(text) ?? [];
  const [, code] = /, with the code (\w+)$/.exec(text) ?? [];
  // Each address is another customer.
  const [, email] = /, by (\S+)$/.exec(text) ?? [];
  const revenue_minor = readMoney(price);
  const interval = unit === "month" || unit === "year" ? unit : "one_time";
  return {
    revenue_minor,
    lines: [{ product_id, amount_minor: revenue_minor, interval }],
    ...(email !== undefined && { email, customer_id: `cus_${email}` }),
    promo_codes: code === undefined ? [] : [{ external_id: null, code }],
  };
}

function readMoney(text: string): bigint {
  const [, whole, cents] = /^\$(\d+)\.(\d\d)$/.exec(text) ?? [];
  if (whole === undefined || cents === undefined) throw new Error(`${text} is no amount of dollars`);
  return BigInt(`${whole}${cents}`);
}

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

it("reads the recipes", () => {
  expect(recipes.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      "SaaS standard",
      "Yearly plans higher",
      "Lifetime",
      "First year, then less",
      "Launch bonus",
      "Agency tiers",
    ]),
  );
  for (const { payments } of recipes) expect(payments.length).toBeGreaterThan(1);
});

/** New customers of an affiliate, and its tier from the midnight before a payment on. */
async function measure(
  context: CreationContext,
  { affiliate_id, count, at }: { affiliate_id: string; count: number; at: Date },
): Promise<void> {
  const day = (days_before: number) =>
    new Date(at.getTime() - days_before * DAY_MILLISECONDS).toISOString().slice(0, 10);
  await bring(context, { affiliate_id, day: day(2), count });
  await seal(context);
  await measuredUntil(context, { day: addDays(await yesterday(context), -1) });
  vi.useFakeTimers({ now: at.getTime() - 1, toFake: ["Date"] });
  try {
    await evaluate(context);
  } finally {
    vi.useRealTimers();
  }
}

describe.each(recipes)("the recipe $title", ({ body, payments }) => {
  it("earns what its table says", async () => {
    const has_tiers = "tiers" in body;
    const context = await (has_tiers ? makeTierContext(test.database) : makeContext(test.database));
    const is_own = "starts_at" in body;
    const own = { name: "Partners", website_url: "https://shop.test" };
    const campaign = is_own
      ? { commission_type: "percentage", commission_amount: 30 }
      : createCampaignInput.parse({ ...own, ...body });
    const { affiliate_id } = await addPartner(context, campaign as never, { email: "seller@partner.test" });
    if (is_own) {
      await setAffiliateRules(
        context,
        setAffiliateRulesInput.parse({ affiliate_ids: [affiliate_id], ...body }),
      );
    }
    const [first] = payments;
    if (first === undefined) throw new Error("a recipe without payments");
    const click_id = await click(context, {
      affiliate_id,
      at: new Date(first.at.getTime() - DAY_MILLISECONDS),
    });
    const who = { customer_id: "cus_1", email: "buyer@customers.test", click_ids: [click_id] };
    let brought = 0;
    for (const [index, { at, tags, customers, made }] of payments.entries()) {
      if (customers > brought) {
        await measure(context, { affiliate_id, count: customers - brought, at });
        brought = customers;
      }
      await updateAffiliate(context, { id: affiliate_id, tags });
      await report(context, payment({ subject: `in_${index}`, at, paid_at: at, ...who, ...made }));
    }
    const decided = await test.database<{ commission_minor: bigint; waits: boolean }[]>`
      select decision.commission_minor, coalesce(commission.review_state = 'pending', false) as waits
      from payment_decisions decision
      left join commissions commission
        on commission.organization_id = decision.organization_id and commission.id = decision.commission_id
      where decision.organization_id = ${context.organization.id} order by decision.paid_at`;
    expect([...decided]).toEqual(
      payments.map(({ commission_minor, waits }) => ({ commission_minor, waits })),
    );
  });
});
