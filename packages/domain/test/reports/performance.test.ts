/* The performance of each source, as the dashboard and the portal show it. The sums: totals/performance-sums.ts. */
import { getPerformanceInput, performanceDimensions } from "@findersfee/contract/reports/performance";
import { addDays, addMonths, startOf } from "@findersfee/contract/reports/periods";
import { CLICKS, makePartitions } from "@findersfee/database/postgres/partitions";
import { MAX_NEW_VALUES } from "@findersfee/database/reports/totals/performance";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { exportPerformance } from "../../src/reports/performance/export.ts";
import { getPerformance, getPerformanceSeries } from "../../src/reports/performance/get.ts";
import { rebuildTotals } from "../../src/reports/totals/rebuild.ts";
import { verifyTotals } from "../../src/reports/totals/verify.ts";
import { addPartner, click, type Partner, report } from "../attribution/program.ts";
import { checkout, payment } from "../attribution/reported.ts";
import { makePayoutContext } from "../ledger/program.ts";

const DAY_MILLISECONDS = 86_400_000;
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const WEEK = {
  from: dateOf(Date.now() - 6 * DAY_MILLISECONDS),
  until: dateOf(Date.now() + DAY_MILLISECONDS),
};
const TABLE = { sort: "clicks", direction: "desc", limit: 50, offset: 0 } as const;

let test: TestDatabase;
let context: CreationContext;
let jane: Partner;
let sales = 0;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  jane = await addPartner(context);
  // Everything is read from rows until a rebuild.
  await test.database`
    update total_seals set sealed_until = date_trunc('hour', now(), 'UTC') - interval '20 days'
    where organization_id = ${context.organization.id}`;
});

interface Visit {
  page?: string;
  referrer?: string | null;
  country?: string | null;
  days?: number;
  affiliate?: Partner;
}

async function visit({
  page,
  referrer = null,
  country = null,
  days = 1,
  affiliate = jane,
}: Visit): Promise<string> {
  const at = new Date(Date.now() - days * DAY_MILLISECONDS);
  const id = await click(context, { ...affiliate, at, sub_id: null });
  await test.database`
    update clicks set landing_url = ${page ?? null}, referrer = ${referrer}, country = ${country},
      visitor_hash = decode(md5(${id}), 'hex')
    where id = ${id}`;
  return id;
}

/** A new customer buys for 100.00 after a click. */
async function buy({ days = 1, ...source }: Visit, country?: string): Promise<string> {
  sales += 1;
  const at = new Date(Date.now() - days * DAY_MILLISECONDS);
  const customer = { customer_id: `cus_${sales}`, email: `customer-${sales}@customers.test` };
  const click_ids = [await visit({ days, ...source })];
  await report(
    context,
    { ...checkout({ subject: `cs_${sales}`, ...customer, click_ids, at }), ...(country && { country }) },
    payment({ subject: `in_${sales}`, ...customer, at }),
  );
  return customer.email;
}

const read = async (query: Partial<Parameters<typeof getPerformance>[1]> = {}) =>
  await getPerformance(context, { dimension: "landing_page", ...WEEK, ...TABLE, ...query });

describe("the performance", () => {
  it("shows what each landing page brought, the same from rows and from totals", async () => {
    await buy({ page: "https://Example.com/pricing?utm=1#top" });
    await visit({ page: "https://example.com/pricing?utm=2" });
    await visit({ page: "https://example.com" });
    const recent = await read();
    expect(recent.rows.map(({ key, present }) => [key, present.clicks, present.conversions])).toEqual([
      ["=example.com/pricing", 2, 1],
      ["=example.com/", 1, 0],
    ]);
    const [best] = recent.rows;
    expect(best?.present).toMatchObject({ signups: 1, revenue_amount: 100, conversion_rate: 0.5 });
    expect(best?.present.earnings_per_click).toBe((best?.present.commission_amount ?? 0) / 2);
    expect(recent.present).toMatchObject({ clicks: 3, revenue_amount: 100 });
    await rebuildTotals(test.database, context.organization.id);
    expect(await read()).toEqual(recent);
  });

  it("shows referrers by host, and countries of visitors and of customers", async () => {
    await buy({ referrer: "https://news.example.org:8443/today", country: "DE" }, "FR");
    await visit({});
    const keysOf = async (dimension: "referrer" | "visitor_country" | "customer_country") =>
      (await read({ dimension })).rows
        .map(({ key, present }) => `${key} ${present.clicks} ${present.conversions}`)
        .sort();
    expect(await keysOf("referrer")).toEqual(["=news.example.org 1 1", "none 1 0"]);
    expect(await keysOf("visitor_country")).toEqual(["=DE 1 1", "none 1 0"]);
    expect(await keysOf("customer_country")).toEqual(["=FR 0 1", "none 2 0"]);
  });

  it("follows a customer to another country", async () => {
    const email = await buy({}, "FR");
    await report(context, {
      ...payment({ subject: "in_again", customer_id: `cus_${sales}`, email, at: new Date() }),
      country: "DE",
    });
    const { rows } = await read({ dimension: "customer_country" });
    expect(rows.map(({ key, present }) => [key, present.revenue_amount])).toContainEqual(["=DE", 200]);
  });

  it("compares with the period before, and has none for all time", async () => {
    await visit({ page: "https://example.com/a" });
    await visit({ page: "https://example.com/a", days: 8 });
    await visit({ page: "https://example.com/b", days: 9 });
    expect((await read()).rows.map(({ key, previous }) => [key, previous?.clicks])).toEqual([
      ["=example.com/a", 1],
      ["=example.com/b", 1],
    ]);
    const all = await read({ from: undefined });
    expect(all.rows.map(({ present, previous }) => [present.clicks, previous])).toEqual([
      [2, null],
      [1, null],
    ]);
  });

  it("names affiliates and campaigns, and finds them", async () => {
    await visit({});
    const joe = await addPartner(context, { name: "Other" });
    await visit({ affiliate: joe });
    await visit({ affiliate: joe });
    const affiliates = await read({ dimension: "affiliate" });
    expect(affiliates.rows.map(({ value }) => value)).toEqual([joe.affiliate_id, jane.affiliate_id]);
    const { rows, rows_total, present } = await read({ dimension: "campaign", search: "othe" });
    expect(rows.map(({ value, name }) => [value, name])).toEqual([[joe.campaign_id, "Other"]]);
    expect([rows_total, present.clicks]).toEqual([1, 2]);
    const of_joe = await read({ dimension: "link", affiliate_id: joe.affiliate_id });
    expect(of_joe.present.clicks).toBe(2);
    const of_campaign = await read({ dimension: "affiliate", campaign_id: jane.campaign_id });
    expect(of_campaign.rows.map(({ value }) => value)).toEqual([jane.affiliate_id]);
  });

  it("finds countries by their code and name, in English and other languages", async () => {
    await visit({ country: "DE" });
    await buy({ country: "US" }, "FR");
    const found = async (query: Partial<Parameters<typeof getPerformance>[1]>) =>
      (await read({ dimension: "visitor_country", ...query })).rows.map(({ value }) => value);
    const expectFound = async () => {
      expect(await found({ search: "germ" })).toEqual(["DE"]);
      expect(await found({ search: "us" })).toEqual(["US"]);
      expect(await found({ search: "states" })).toEqual(["US"]);
      expect(await found({ search: "Deutsch" })).toEqual([]);
      expect(await found({ search: "Deutsch", search_languages: "de-DE,fr" })).toEqual(["DE"]);
      expect(await found({ dimension: "customer_country", search: "france" })).toEqual(["FR"]);
      // Other values have no names.
      expect(await found({ dimension: "landing_page", search: "germany" })).toEqual([]);
    };
    await expectFound();
    await rebuildTotals(test.database, context.organization.id);
    await expectFound();
  });

  it.each(["de", "pt-BR", "zh-Hant-TW,de", "es-419"])(
    "takes %s as languages of a search",
    (search_languages) => {
      const query = { dimension: "visitor_country", until: "2026-12-01", search: "a", search_languages };
      expect(getPerformanceInput.safeParse(query).success).toBe(true);
    },
  );

  it.each(["", "de,", "d", "german", "de-x", "de;fr", "de,de,de,de,de"])(
    "refuses “%s” as languages",
    (search_languages) => {
      const query = { dimension: "visitor_country", until: "2026-12-01", search: "a", search_languages };
      expect(getPerformanceInput.safeParse(query).success).toBe(false);
    },
  );

  it("sorts by any figure, up and down, by pages", async () => {
    for (const page of ["a", "a", "b", "b", "b", "c"]) await visit({ page: `https://example.com/${page}` });
    await buy({ page: "https://example.com/c" });
    const order = async (query: Partial<Parameters<typeof getPerformance>[1]>) =>
      (await read(query)).rows.map(({ value }) => value?.at(-1)).join("");
    expect(await order({})).toMatch(/^b(ac|ca)$/);
    expect(await order({ direction: "asc" })).toMatch(/^(ac|ca)b$/);
    expect(await order({ sort: "conversion_rate" })).toMatch(/^c/);
    expect(await order({ limit: 1, offset: 1 })).toHaveLength(1);
    expect((await read({ limit: 1 })).rows_total).toBe(3);
  });

  it("has a chart of everything, and of chosen rows", async () => {
    await visit({ page: "https://example.com/a", days: 1 });
    await visit({ page: "https://example.com/a", days: 2 });
    await visit({ page: "https://example.com/b", days: 2 });
    await rebuildTotals(test.database, context.organization.id);
    const query = { dimension: "landing_page", ...WEEK, unit: "day" } as const;
    const clicks = ({ points }: { points: { clicks: number }[] }) => points.map((point) => point.clicks);
    const [all] = (await getPerformanceSeries(context, query)).series;
    expect(all && clicks(all)).toEqual([0, 0, 0, 0, 2, 1, 0]);
    const { series } = await getPerformanceSeries(context, { ...query, keys: ["=example.com/b", "none"] });
    expect(series.map(clicks)).toEqual([
      [0, 0, 0, 0, 1, 0, 0],
      [0, 0, 0, 0, 0, 0, 0],
    ]);
  });

  it("is read by any plan", async () => {
    await visit({ page: "https://example.com/a" });
    await rebuildTotals(test.database, context.organization.id);
    // After some runs, Postgres plans a statement for all dimensions.
    for (let time = 0; time < 8; time++) {
      for (const dimension of performanceDimensions)
        expect((await read({ dimension })).present.clicks).toBe(1);
    }
  });

  it("is a file", async () => {
    await buy({ page: "https://example.com/a" });
    const lines = (await exportPerformance(context, { dimension: "landing_page", ...WEEK, ...TABLE })).split(
      "\r\n",
    );
    expect(lines[0]).toMatch(/^\uFEFFlanding_page,name,currency,clicks,.*,previous_earnings_per_click$/);
    expect(lines[1]).toMatch(/^example\.com\/a,,USD,1,1,1,100,/);
  });

  it("of another organization's affiliate or campaign is not found", async () => {
    const other = await makePayoutContext(test.database);
    const { affiliate_id, campaign_id } = await addPartner(other);
    await expect(read({ affiliate_id })).rejects.toMatchObject({ code: "not_found" });
    await expect(read({ campaign_id })).rejects.toMatchObject({ code: "not_found" });
  });
});

it("counts values beyond the new ones of a month as others, in each rebuild", async () => {
  await visit({ page: "https://example.com/a" });
  await rebuildTotals(test.database, context.organization.id);
  await test.database`
    insert into total_values (organization_id, dimension, value, since)
    select ${context.organization.id}, 'landing_page', 'example.com/' || number, since
    from generate_series(1, ${MAX_NEW_VALUES}::int) as number,
      lateral (select since from total_values where value = 'example.com/a' order by id desc limit 1) as known`;
  await visit({ page: "https://example.com/b" });
  for (let time = 0; time < 2; time++) {
    await rebuildTotals(test.database, context.organization.id);
    const { rows } = await read();
    expect(rows.map(({ key, present }) => [key, present.clicks]).sort()).toEqual([
      ["=example.com/a", 1],
      ["other", 1],
    ]);
  }
});

it("reads an affiliate with many clicks the same from rows and from sums of months", async () => {
  const { id } = context.organization;
  const month = startOf(dateOf(Date.now()), "month");
  const last = addMonths(month, -1);
  await test.database`
    update total_seals set sealed_until = ${addMonths(month, -2)}::timestamptz where organization_id = ${id}`;
  await makePartitions(test.database, CLICKS, { now: new Date(last), ahead: 1 });
  const addClicks = async (from: number, until: number) => {
    await test.database`
      insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at, landing_url, sub_id)
      select ${id}, overlay(first_id_of(at)::text placing right(md5(number::text), 12) from 25)::uuid, ${jane.affiliate_id},
        'jane', decode(md5(number::text), 'hex'), at, 'https://example.com/' || number % 40, 'sub-' || number / 40
      from generate_series(${from}::int, ${until}::int) as number,
        lateral (select ${last}::timestamptz + number * interval '30 minutes' as at)`;
  };
  await addClicks(0, 1_200);
  const periods = [
    { from: last, until: month, previous_from: addMonths(last, -1), previous_until: last },
    {
      from: addDays(last, 3),
      until: addDays(last, 20),
      previous_from: last,
      previous_until: addDays(last, 3),
    },
    { from: undefined, until: addMonths(month, 1) },
  ];
  const readAll = async () => {
    const tables = [];
    for (const dimension of ["landing_page", "sub_id", "link"] as const) {
      for (const period of periods) {
        const { rows, ...sums } = await read({ dimension, ...period, affiliate_id: jane.affiliate_id });
        tables.push({ rows: rows.sort((one, other) => one.key.localeCompare(other.key)), ...sums });
      }
    }
    const series = {
      dimension: "sub_id",
      ...periods[0],
      until: month,
      affiliate_id: jane.affiliate_id,
    } as const;
    tables.push(
      await getPerformanceSeries(context, { ...series, unit: "week", keys: ["=sub-1", "=sub-9", "none"] }),
    );
    tables.push(await getPerformanceSeries(context, { ...series, unit: "day" }));
    return tables;
  };
  const of_rows = await readAll();
  expect(of_rows[0]).toMatchObject({ rows_total: 40, present: { clicks: 1_201 } });
  await rebuildTotals(test.database, id);
  const [stored] = await test.database`
    select is_summed from affiliate_performance join total_seals using (organization_id, generation)
    where organization_id = ${id} and month = ${last}`;
  expect(stored).toEqual({ is_summed: true });
  expect(await readAll()).toEqual(of_rows);
  expect(await verifyTotals(test.database, id)).toEqual([]);
  await test.database`
    update performance_totals set clicks[1] = clicks[1] + 2 where organization_id = ${id} and scope_id < 0`;
  expect((await verifyTotals(test.database, id)).map(({ finding }) => finding)).toContain("clicks +2");
});

/** The rows of a period and the one before. */
const SPAN_ROWS = 30;
/** The rows of organizations, seals and recent rows. */
const OTHER_ROWS = 50;

it("reads few totals of any period, whatever else is stored", async () => {
  const single = await createTestDatabase({ poolSize: 1 });
  onTestFinished(() => single.close());
  const { database } = single;
  const program = await makePayoutContext(database);
  const { id } = program.organization;
  await rebuildTotals(database, id);
  const value_ids = 10;
  const month = startOf(dateOf(Date.now()), "month");
  const first = startOf(addMonths(month, -24), "year");
  // Each day of some years has each value once.
  await database`
    insert into performance_totals (organization_id, generation, scope_id, dimension, starts, ends, currency, value_ids, clicks,
      signups, conversions)
    select ${id}, (select generation from total_seals where organization_id = ${id}), 0, dimension, starts, ends, 'XXX',
      array(select generate_series(1000, ${999 + value_ids})), array_fill(count(*)::int, array[${value_ids}::int]),
      array_fill(0, array[${value_ids}::int]), array_fill(0, array[${value_ids}::int])
    from generate_series(${first}::date, ${month}::date - 1, '1 day') as day
    cross join lateral total_spans(day::date)
    cross join unnest(array['landing_page', 'referrer']::total_dimension[]) as dimension
    group by dimension, starts, ends`;
  await database`analyze performance_totals`;
  const year = startOf(month, "year");
  for (const query of [
    { from: undefined, until: year },
    { from: addMonths(year, -12), until: year },
    { from: addDays(addMonths(month, -11), 3), until: addDays(addMonths(month, -3), 18) },
    { from: addMonths(month, -1), until: month },
  ]) {
    const read = await rowsReadBy(database, async () => {
      const { present } = await getPerformance(program, { dimension: "landing_page", ...query, ...TABLE });
      const days = (Date.parse(query.until) - Date.parse(query.from ?? first)) / DAY_MILLISECONDS;
      expect(present.clicks).toBe(days * value_ids);
    });
    expect(read).toBeLessThanOrEqual(SPAN_ROWS + OTHER_ROWS);
  }
});
