import { type CommissionCreation, insertCommissions } from "@findersfee/database/commissions/creation";
import type { Connection } from "@findersfee/database/postgres/connect";
import { PAYMENT_KEYS } from "@findersfee/domain/attribution/facts/fact-names";
import { newId } from "@findersfee/domain/ids";

interface Of {
  organization_id: string;
  affiliate_id: string;
  referral_id: string;
}

/** A commission that is created without an idempotency key, and not its referral's first one. */
export function newCreation({ affiliate_id, referral_id }: Omit<Of, "organization_id">): CommissionCreation {
  const created_at = new Date();
  const id = newId(created_at);
  const body = JSON.stringify({ type: "commission.created", data: { id, note: "x".repeat(900) } });
  return {
    commission: {
      id,
      affiliate_id,
      referral_id,
      revenue_minor: 10_000n,
      commission_minor: 3_000n,
      currency: "USD",
      referral_date: created_at,
      cause: "bench trick",
      processor_payment_id: `pi_${id}`,
      created_at,
    },
    created: { id: newId(created_at), type: "commission.created", body, created_at },
    converted: null,
    answer: null,
  };
}

/** Inserts one new commission per call. */
export function commissionInsert(of: Of): (sql: Connection) => Promise<unknown> {
  return (sql) =>
    insertCommissions(sql, of.organization_id, {
      creations: [newCreation(of)],
      expired_before: new Date(0),
      payment_keys: PAYMENT_KEYS,
    });
}
