import { randomUUID } from "node:crypto";
import type { Transaction } from "@findersfee/database/connect";
import type { FilledLedger } from "./filled.ts";

/** One row that somebody changed by hand, and what has to be found then: `check: row`. */
export interface Damage {
  name: string;
  damage: (sql: Transaction, ledger: FilledLedger) => Promise<string[]>;
}

export const commission = (id: string) => `commission ${id}`;
export const payout = (id: string) => `payout ${id}`;
const balanceOfJane = ({ jane }: FilledLedger) => `balance of affiliate ${jane.affiliate_id} in USD`;

interface Entry {
  number: bigint;
  organization_id: string;
}

export async function entryOf(sql: Transaction, commission_id: string, kind: string): Promise<Entry> {
  const [entry] = await sql<Entry[]>`
    select organization_id, number from ledger_entries
    where commission_id = ${commission_id} and kind = ${kind} order by number desc`;
  if (entry === undefined) throw new Error(`commission ${commission_id} was not ${kind}`);
  return entry;
}

async function addEntry(sql: Transaction, like: Entry, changes: object): Promise<string> {
  const [row] = await sql`
    select organization_id, affiliate_id, currency, commission_id, payout_id, kind, unpaid_minor, in_payout_minor,
      paid_minor, cause
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
    name: "an entry's payout is another affiliate's",
    damage: async (sql, { commissions: { paid }, payouts }) => {
      const { number } = await entryOf(sql, paid, "put_into_payout");
      await sql`
        update ledger_entries set payout_id = ${payouts.pending} where number = ${String(number)}`;
      // Neither payout has it once.
      const once = `entry_once: ${commission(paid)}`;
      return [`entry_payout: entry ${number}`, once, once];
    },
  },
  {
    name: "put into a payout twice",
    damage: async (sql, { commissions: { paid } }) => {
      await addEntry(sql, await entryOf(sql, paid, "put_into_payout"), {});
      const put = await entryOf(sql, paid, "put_into_payout");
      const back = { kind: "taken_out", unpaid_minor: 3_000n, in_payout_minor: -3_000n };
      await addEntry(sql, put, back);
      return [`entry_once: ${commission(paid)}`];
    },
  },
  {
    name: "a balance",
    damage: async (sql, ledger) => {
      await sql`
        update balances set earned_minor = earned_minor + 1, unpaid_minor = unpaid_minor + 1
        where affiliate_id = ${ledger.jane.affiliate_id} and currency = 'USD'`;
      return [`balance_entries: ${balanceOfJane(ledger)}`];
    },
  },
  {
    name: "a balance that is no sum",
    damage: async (sql, ledger) => {
      await sql`
        update balances set paid_minor = paid_minor + 1
        where affiliate_id = ${ledger.jane.affiliate_id} and currency = 'USD'`;
      return [`balance_entries: ${balanceOfJane(ledger)}`, `balance_sum: ${balanceOfJane(ledger)}`];
    },
  },
  {
    name: "a balance is gone",
    damage: async (sql, ledger) => {
      await sql`delete from balances where affiliate_id = ${ledger.jane.affiliate_id} and currency = 'USD'`;
      return [`balance_entries: ${balanceOfJane(ledger)}`];
    },
  },
];
