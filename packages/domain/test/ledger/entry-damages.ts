import { randomUUID } from "node:crypto";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { FilledLedger } from "./filled.ts";

/** A row that was changed manually, and the expected findings: `check: row`. */
export interface Damage {
  name: string;
  damage: (sql: Transaction, ledger: FilledLedger) => Promise<string[]>;
}

export const commission = (id: string) => `commission ${id}`;
export const payout = (id: string) => `payout ${id}`;
export const balanceOf = (affiliate_id: string) => `balance of affiliate ${affiliate_id} in USD`;
const balanceOfJane = ({ jane }: FilledLedger) => balanceOf(jane.affiliate_id);

interface Entry {
  number: bigint;
  organization_id: string;
}

/** The last entry of its kind of a commission. */
export async function entryOf(sql: Transaction, commission_id: string, kind: string): Promise<Entry> {
  const [entry] = await sql<Entry[]>`
    select organization_id, number from ledger_entries
    where commission_id = ${commission_id} and kind = ${kind} order by number desc`;
  if (entry === undefined) throw new Error(`commission ${commission_id} was not ${kind}`);
  return entry;
}

/** The entry that put a payout together. */
export async function putInto(
  sql: Transaction,
  payout_id: string,
): Promise<Entry & { amount_minor: bigint }> {
  const [entry] = await sql<(Entry & { amount_minor: bigint })[]>`
    select organization_id, number, in_payout_minor as amount_minor from ledger_entries
    where payout_id = ${payout_id} and kind = 'put_into_payout'`;
  if (entry === undefined) throw new Error(`nothing was put into payout ${payout_id}`);
  return entry;
}

async function addEntry(sql: Transaction, like: Entry, changes: object): Promise<string> {
  const [row] = await sql`
    select organization_id, affiliate_id, currency, commission_id, payout_id, commission_ids, kind, unpaid_minor,
      in_payout_minor, paid_minor, cause
    from ledger_entries
    where organization_id = ${like.organization_id} and number = ${String(like.number)}`;
  const [added] = await sql`
    insert into ledger_entries ${sql({ ...row, ...changes } as never)} returning number`;
  return `entry ${added?.number}`;
}

export const of_entries: readonly Damage[] = [
  {
    name: "an entry is gone",
    damage: async (sql, ledger) => {
      const { unpaid } = ledger.commissions;
      await sql`delete from ledger_entries where commission_id = ${unpaid}`;
      return [
        `commission_entries: ${commission(unpaid)}`,
        `commission_without_entries: ${commission(unpaid)}`,
        `balance_entries: ${balanceOfJane(ledger)}`,
      ];
    },
  },
  {
    name: "an entry's amount",
    damage: async (sql, ledger) => {
      const { paid } = ledger.commissions;
      await sql`
        update ledger_entries set unpaid_minor = unpaid_minor + 1 where commission_id = ${paid} and kind = 'earned'`;
      return [`commission_entries: ${commission(paid)}`, `balance_entries: ${balanceOfJane(ledger)}`];
    },
  },
  {
    name: "an entry of no commission",
    damage: async (sql, ledger) => {
      const commission_id = randomUUID();
      const like = await entryOf(sql, ledger.commissions.unpaid, "earned");
      return [
        `entry_commission: ${await addEntry(sql, like, { commission_id })}`,
        `commission_entries: ${commission(commission_id)}`,
        `balance_entries: ${balanceOfJane(ledger)}`,
      ];
    },
  },
  {
    name: "an entry's kind",
    damage: async (sql, ledger) => {
      const { number } = await entryOf(sql, ledger.commissions.unpaid, "earned");
      await sql`update ledger_entries set kind = 'reduced' where number = ${String(number)}`;
      return [`entry_kind: entry ${number}`, `balance_entries: ${balanceOfJane(ledger)}`];
    },
  },
  {
    name: "an entry of a commission and a payout",
    damage: async (sql, { commissions: { unpaid }, payouts }) => {
      const { number } = await entryOf(sql, unpaid, "earned");
      await sql`update ledger_entries set payout_id = ${payouts.processing} where number = ${String(number)}`;
      return [`entry_kind: entry ${number}`];
    },
  },
  {
    name: "an entry's payout is another affiliate's",
    damage: async (sql, { payouts }) => {
      const { number } = await putInto(sql, payouts.paid);
      await sql`
        update ledger_entries set payout_id = ${payouts.pending} where number = ${String(number)}`;
      return [
        `entry_payout: entry ${number}`,
        // Neither payout has it once, and the other one's commissions are not these.
        `entry_once: ${payout(payouts.paid)}`,
        `entry_once: ${payout(payouts.pending)}`,
        `entry_commissions: ${payout(payouts.pending)}`,
      ];
    },
  },
  {
    name: "put into a payout twice",
    damage: async (sql, { payouts: { paid } }) => {
      const put = await putInto(sql, paid);
      await addEntry(sql, put, {});
      const { amount_minor } = put;
      const back = { unpaid_minor: amount_minor, in_payout_minor: -amount_minor };
      await addEntry(sql, put, { kind: "taken_out", commission_ids: null, ...back });
      return [`entry_once: ${payout(paid)}`];
    },
  },
  {
    name: "nothing says what was put into a payout",
    damage: async (sql, ledger) => {
      const { number } = await putInto(sql, ledger.payouts.processing);
      await sql`delete from ledger_entries where number = ${String(number)}`;
      return [
        `entry_once: ${payout(ledger.payouts.processing)}`,
        `balance_entries: ${balanceOfJane(ledger)}`,
      ];
    },
  },
  {
    name: "other commissions were put into a payout",
    damage: async (sql, { commissions, payouts: { processing } }) => {
      const { number } = await putInto(sql, processing);
      await sql`
        update ledger_entries set commission_ids = array[${commissions.unpaid}::uuid]
        where number = ${String(number)}`;
      return [`entry_commissions: ${payout(processing)}`];
    },
  },
  {
    name: "a balance",
    damage: async (sql, ledger) => {
      await sql`
        update balances set earned_minor = earned_minor + 1, unpaid_minor = unpaid_minor + 1
        where affiliate_id = ${ledger.jane.affiliate_id} and currency = 'USD'`;
      return ["balance_entries", "balance_commissions"].map((name) => `${name}: ${balanceOfJane(ledger)}`);
    },
  },
  {
    name: "a balance that is no sum",
    damage: async (sql, ledger) => {
      await sql`
        update balances set paid_minor = paid_minor + 1
        where affiliate_id = ${ledger.jane.affiliate_id} and currency = 'USD'`;
      return ["balance_entries", "balance_commissions", "balance_sum"].map(
        (name) => `${name}: ${balanceOfJane(ledger)}`,
      );
    },
  },
  {
    name: "a balance is gone",
    damage: async (sql, ledger) => {
      await sql`delete from balances where affiliate_id = ${ledger.jane.affiliate_id} and currency = 'USD'`;
      return ["balance_entries", "balance_commissions"].map((name) => `${name}: ${balanceOfJane(ledger)}`);
    },
  },
];
