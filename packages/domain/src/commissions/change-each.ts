import type { ChangedCommissions } from "@findersfee/contract/commissions/rows";
import { hasPaymentDecisions } from "@findersfee/database/commissions/story";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { inTransaction } from "../transaction.ts";

/**
 * Changes commissions, all or none, and counts those for which `change` returns true. An error names the commission in
 * `details`.
 */
export async function changeEach(
  context: Context,
  ids: readonly string[],
  change: (sql: Transaction, id: string) => Promise<boolean>,
): Promise<ChangedCommissions> {
  const { organization } = context;
  // In one order, so that two such calls never wait for each other.
  const ordered = [...new Set(ids)].sort();
  return await inTransaction(context, async (sql) => {
    // Locked before the commissions' rows, in the same order as the workers.
    if (await hasPaymentDecisions(sql, organization.id, ordered)) await lockPayments(sql, organization.id);
    let changed = 0;
    for (const id of ordered) {
      if (await changeNamed(sql, id)) changed += 1;
    }
    return { changed };
  });

  async function changeNamed(sql: Transaction, id: string): Promise<boolean> {
    try {
      return await change(sql, id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { code, message, issues } = error;
      throw new DomainError(code, { message, issues, details: { commission_id: id } });
    }
  }
}
