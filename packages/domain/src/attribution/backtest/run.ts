import {
  type BacktestResult,
  type CreateBacktest,
  MAX_AFFILIATES,
} from "@findersfee/contract/attribution/backtests";
import type {
  BacktestAffiliateRow,
  BacktestMonthRow,
  BacktestTotal,
} from "@findersfee/database/attribution/backtests";
import { type Database, snapshot } from "@findersfee/database/postgres/connect";
import type { OrganizationContext } from "../../context.ts";
import { addToTotals } from "./decide.ts";
import { findingsSchema, withPayments } from "./findings.ts";
import { FIRST_CUSTOMER, tryPage } from "./page.ts";
import { resolveDraft } from "./start.ts";
import { measurePeriod } from "./tiers.ts";
import { viewResult } from "./view.ts";

/**
 * Tries a draft on past payments in this process, without a job: it writes nothing at all. `onPage` is called with the number of
 * payments so far. Errors: `not_found`, `invalid_request`.
 */
export async function runBacktest(
  { database, organization }: { database: Database; organization: OrganizationContext },
  input: CreateBacktest,
  onPage: (done: number) => void = () => {},
): Promise<BacktestResult> {
  const { stored, draft } = await resolveDraft(database, organization, input);
  const totals = new Map<string, BacktestTotal>();
  let findings = findingsSchema.parse({});
  let done = 0;
  const tiers = await snapshot(database, (sql) => measurePeriod(sql, organization, draft));
  for (let after: string | null = FIRST_CUSTOMER; after !== null; ) {
    const start: string = after;
    const page = await snapshot(database, (sql) =>
      tryPage(sql, organization, { draft, after: start, findTiers: async () => tiers }),
    );
    for (const payment of page.payments) addToTotals(totals, payment);
    findings = withPayments(findings, page.payments, draft);
    done += page.done;
    onPage(done);
    after = page.next;
  }
  const all = [...totals.values()];
  return await viewResult(database, organization.id, {
    draft: stored,
    findings,
    months: sumBy(all, ({ month, currency }) => `${month} ${currency}`).sort(byMonth),
    affiliates: rank(sumBy(all, ({ affiliate_id, currency }) => `${affiliate_id} ${currency}`)),
  });
}

function sumBy(totals: readonly BacktestTotal[], keyOf: (total: BacktestTotal) => string): BacktestTotal[] {
  const sums = new Map<string, BacktestTotal>();
  for (const total of totals) {
    const key = keyOf(total);
    const sum = sums.get(key);
    sums.set(
      key,
      sum === undefined
        ? total
        : {
            ...total,
            payments: sum.payments + total.payments,
            changed: sum.changed + total.changed,
            before_minor: sum.before_minor + total.before_minor,
            after_minor: sum.after_minor + total.after_minor,
          },
    );
  }
  return [...sums.values()];
}

function byMonth(a: BacktestMonthRow, b: BacktestMonthRow): number {
  return `${a.month} ${a.currency}` < `${b.month} ${b.currency}` ? -1 : 1;
}

/** As the statement of stored totals ranks them. */
function rank(sums: readonly BacktestAffiliateRow[]): BacktestAffiliateRow[] {
  const places = new Map<string, number>();
  const differenceOf = ({ before_minor, after_minor }: BacktestAffiliateRow) => after_minor - before_minor;
  const sizeOf = (row: BacktestAffiliateRow) => Math.abs(Number(differenceOf(row)));
  return sums
    .filter((row) => differenceOf(row) !== 0n)
    .sort(
      (a, b) =>
        (a.currency === b.currency ? 0 : a.currency < b.currency ? -1 : 1) ||
        sizeOf(b) - sizeOf(a) ||
        (a.affiliate_id < b.affiliate_id ? -1 : 1),
    )
    .filter((row) => {
      const key = `${row.currency} ${differenceOf(row) < 0n}`;
      const place = (places.get(key) ?? 0) + 1;
      places.set(key, place);
      return place <= MAX_AFFILIATES;
    });
}
