import {
  type ConvertedDueRow,
  createConvertedPayouts,
  findConvertedDue,
  listConvertedDue,
} from "@findersfee/database/payouts/converted-payouts";
import type { CreatedPayout } from "@findersfee/database/payouts/new-payouts";
import {
  createPayouts,
  type DueRow,
  findDue,
  listDue,
  NO_PAYEE,
  type Payee,
  type PayoutRunRow,
} from "@findersfee/database/payouts/runs";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import { convert, type ExchangeRates } from "../../exchange-rates/convert.ts";
import { ratesOf, withEuro } from "./rates.ts";

/** The amount that a run pays a payee in one payout. */
export interface Due extends Payee {
  amount_minor: bigint;
  payment_count: number;
  /** Whether the run has a payout for the payee. */
  has_payout: boolean;
  /** Whether the run leaves the payee out: a person wants it so, or the payee is one of the other kind. */
  is_left_out: boolean;
  /** The currencies that the payout pays. */
  parts: readonly { currency: string }[];
}

interface Created {
  run: PayoutRunRow;
  created_at: Date;
  payouts: readonly (Due & { id: string })[];
}

/** A kind of payees: how a run reads and pays them. */
export interface Payees {
  /** Payees after one of them, at most `limit`, each with its due amount at the run's cutoff. */
  list(
    sql: Connection,
    organization_id: string,
    query: { run: PayoutRunRow; after: Payee; limit: number },
  ): Promise<Due[]>;
  find(sql: Connection, organization_id: string, query: { run: PayoutRunRow; payee: Payee }): Promise<Due>;
  create(sql: Transaction, organization_id: string, query: Created): Promise<CreatedPayout[]>;
}

/** Affiliates who are paid in each currency: a payee for each. */
const in_each_currency: Payees = {
  list: async (sql, organization_id, query) => (await listDue(sql, organization_id, query)).map(dueOf),
  find: async (sql, organization_id, query) => dueOf(await findDue(sql, organization_id, query)),
  create: createPayouts,
};

/** Affiliates who are paid in one currency. Amounts due in others are converted at the run's rates. */
const in_one_currency: Payees = {
  list: async (sql, organization_id, { run, after, limit }) => {
    const query = { run, after: after.affiliate_id, limit };
    const rates = ratesOf(run.exchange_rates);
    return (await listConvertedDue(sql, organization_id, query)).map((row) => convertedDue(row, rates));
  },
  find: async (sql, organization_id, { run, payee }) => {
    const { affiliate_id } = payee;
    const row = await findConvertedDue(sql, organization_id, { run, affiliate_id });
    return row === null ? nothingDue(payee) : convertedDue(row, ratesOf(run.exchange_rates));
  },
  create: (sql, organization_id, created) =>
    createConvertedPayouts(sql, organization_id, { ...created, rates: withEuro(created.run.exchange_rates) }),
};

/** All payees of a run, in its order. */
export const ALL_PAYEES: readonly Payees[] = [in_each_currency, in_one_currency];

export const BEFORE_ALL = NO_PAYEE;

function dueOf({ is_withheld, is_paid_in_one, ...row }: DueRow): Due {
  return { ...row, is_left_out: is_withheld || is_paid_in_one, parts: [row] };
}

/**
 * The sum of all parts that have a rate, and are not 0. An amount that is less than half a minor unit of the payout's currency stays
 * due.
 */
function convertedDue({ parts, is_withheld, ...row }: ConvertedDueRow, rates: ExchangeRates): Due {
  const paid = parts.flatMap(({ currency, amount_minor, payment_count }) => {
    const converted = convert(BigInt(amount_minor), { from: currency, to: row.currency, rates });
    if (converted === null || converted.amount_minor === 0n) return [];
    return [{ currency, payment_count, amount_minor: converted.amount_minor }];
  });
  return {
    ...row,
    is_left_out: is_withheld,
    parts: paid,
    amount_minor: paid.reduce((sum, part) => sum + part.amount_minor, 0n),
    payment_count: paid.reduce((sum, part) => sum + part.payment_count, 0),
  };
}

/** The affiliate is paid in each currency since the run listed it. The next run pays it. */
function nothingDue({ affiliate_id, currency }: Payee): Due {
  return {
    ...{ affiliate_id, currency, amount_minor: 0n, payment_count: 0 },
    ...{ has_payout: false, is_left_out: true, parts: [] },
  };
}
