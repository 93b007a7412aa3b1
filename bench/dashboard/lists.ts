/* Question: how long do the first page and each filter of a list take with a million rows? */
import { listAffiliateRows } from "@findersfee/domain/affiliates/list-rows";
import { countPayments, listPaymentRows } from "@findersfee/domain/attribution/list-rows";
import { listCommissionRows } from "@findersfee/domain/commissions/list-rows";
import { listReferralRows } from "@findersfee/domain/customers/referrals/list-rows";
import { countDeliveries } from "@findersfee/domain/webhooks/deliveries/counts";
import { listDeliveries } from "@findersfee/domain/webhooks/deliveries/list";
import { listEndpointHealth } from "@findersfee/domain/webhooks/endpoints/health";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram, type Program } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { fillLists } from "./fill-lists.ts";

const MAX_MS = 100;
const TIMES = 9;
const PAGE = { limit: 50 };

type Read = [name: string, run: () => Promise<unknown>];

/** Question 6. */
export async function measureLists(bench: Bench): Promise<Verdict[]> {
  const rows = bench.quick ? 100_000 : 1_000_000;
  const program = await makeProgram(await bench.server.createDatabase(), rows);
  return await withConnection(program.database_url, async (database) => {
    await fillLists(database, program, rows);
    const [endpoint] = await database<{ id: string }[]>`select id from endpoints limit 1`;
    const context = contextOf(database, program.organization_id);
    const measured: [name: string, median: number][] = [];
    for (const [name, run] of readsOf(context, program, endpoint?.id ?? "")) {
      measured.push([name, await medianOf(run)]);
    }
    bench.print(formatTable([["read", "ms"], ...measured.map(([name, median]) => [name, fine(median)])]));
    const slowest = Math.max(...measured.map(([, median]) => median));
    const within = measured.filter(([, median]) => median <= MAX_MS).length;
    return [
      {
        question: `6 first page and filters of lists of ${whole(rows)}: ${within} of ${measured.length} within`,
        measured: `${fine(slowest)} ms`,
        limit: "",
        ratio: "",
        target: `<= ${MAX_MS} ms`,
        met: slowest <= MAX_MS,
      },
    ];
  });
}

function readsOf(context: ReturnType<typeof contextOf>, program: Program, endpoint_id: string): Read[] {
  const affiliate_id = program.affiliate_ids[7] ?? "";
  const since = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  const affiliates: Parameters<typeof listAffiliateRows>[1][] = [
    PAGE,
    { ...PAGE, state: "waiting" },
    { ...PAGE, state: "banned" },
    { ...PAGE, text: "jane" },
    { ...PAGE, text: "jane.77" },
    { ...PAGE, text: "roe 99" },
    { ...PAGE, text: "code-ab" },
    { ...PAGE, text: "nobody has this" },
    { ...PAGE, text: "jane", state: "banned" },
    { ...PAGE, sort: "earned" },
    { ...PAGE, sort: "unpaid" },
    { ...PAGE, sort: "clicks" },
    { ...PAGE, owed: true },
    { ...PAGE, created_from: since(30) },
  ];
  const referrals: Parameters<typeof listReferralRows>[1][] = [
    PAGE,
    ...(["active", "signed_up", "trialing", "canceled", "past_due"] as const).map((status) => ({
      ...PAGE,
      statuses: [status],
    })),
    { ...PAGE, statuses: ["canceled", "past_due"] },
    { ...PAGE, affiliate_id },
    { ...PAGE, affiliate_id, statuses: ["past_due"] },
    { ...PAGE, affiliate_id, text: "june.77" },
    { ...PAGE, text: "june" },
    { ...PAGE, text: "june.77" },
    { ...PAGE, text: "cus_ab" },
    { ...PAGE, text: "nobody has this" },
    { ...PAGE, text: "june", statuses: ["past_due"] },
  ];
  const payments: Parameters<typeof listPaymentRows>[1][] = [
    PAGE,
    { ...PAGE, outcomes: ["click_expired"] },
    { ...PAGE, outcomes: ["no_referral", "click_expired", "affiliate_banned"] },
    { ...PAGE, affiliate_id },
    { ...PAGE, processor: "generic" },
    { ...PAGE, text: "buyer-1" },
    { ...PAGE, text: "buyer-777" },
    { ...PAGE, text: "in_ab" },
    { ...PAGE, text: "nobody has this" },
    { ...PAGE, paid_from: since(30), outcomes: ["affiliate_banned"] },
  ];
  const commissions: Parameters<typeof listCommissionRows>[1][] = [
    PAGE,
    ...(["held", "due", "pending", "paid", "voided"] as const).map((state) => ({ ...PAGE, state })),
    { ...PAGE, affiliate_id },
    { ...PAGE, reversal: true },
    { ...PAGE, text: "customer-1" },
    { ...PAGE, text: "affiliate-7" },
    { ...PAGE, text: "pi_ab" },
    { ...PAGE, text: "nobody has this" },
    { ...PAGE, state: "voided", paid_from: since(30) },
  ];
  const deliveries: Parameters<typeof listDeliveries>[1][] = [
    PAGE,
    { ...PAGE, endpoint_id },
    { ...PAGE, endpoint_id, states: ["exhausted"] },
    { ...PAGE, endpoint_id, failed: true },
    { ...PAGE, endpoint_id, type: "referral.created" },
    { ...PAGE, endpoint_id, error_code: "timeout" },
    { ...PAGE, created_from: since(2), states: ["exhausted"] },
  ];
  const named = <Query>(list: string, run: (query: Query) => Promise<unknown>, queries: Query[]): Read[] =>
    queries.map((query) => [`${list} ${JSON.stringify({ ...query, limit: undefined })}`, () => run(query)]);
  return [
    ...named("affiliates", (query) => listAffiliateRows(context, query), affiliates),
    ...named("referrals", (query) => listReferralRows(context, query), referrals),
    ...named("payments", (query) => listPaymentRows(context, query), payments),
    ...named("commissions", (query) => listCommissionRows(context, query), commissions),
    ...named("deliveries", (query) => listDeliveries(context, query), deliveries),
    ["counts of payments", () => countPayments(context, {})],
    ["counts of deliveries, a week", () => countDeliveries(context, { endpoint_id, hours: 168 })],
    ["health of endpoints", () => listEndpointHealth(context)],
  ];
}

async function medianOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return spread(times).median;
}
