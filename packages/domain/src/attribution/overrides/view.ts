import type { Override } from "@findersfee/contract/attribution/overrides";
import type { OverrideRow } from "@findersfee/database/attribution/overrides";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { OverrideFact } from "../facts/payment-fact.ts";
import { readStoredFact } from "../facts/stored-fact.ts";

export function readOverride({ id, data }: Pick<OverrideRow, "id" | "data">): OverrideFact {
  const fact = readStoredFact(data);
  if (fact.kind !== "override") throw new Error(`the fact ${id} is no override`);
  return fact;
}

export function viewOverride(row: OverrideRow): Override {
  const fact = readOverride(row);
  return {
    id: row.id,
    type: fact.type,
    created_by: fact.created_by,
    created_by_name: row.created_by_name,
    created_at: fact.since.toISOString(),
    affiliate_id: fact.affiliate_id,
    processor_payment_ids: fact.payments.map(({ id }) => id),
    reason: fact.reason,
    ended_at: fact.until?.toISOString() ?? null,
    undone_at: fact.undone_at?.toISOString() ?? null,
  };
}

/** The fields in the audit log. */
export function overrideFields(fact: OverrideFact): AuditedFields {
  return {
    type: fact.type,
    affiliate_id: fact.affiliate_id,
    processor_payment_ids: fact.payments.map(({ id }) => id),
    commission_ids: fact.commissions.map(({ id }) => id),
    ended_at: fact.until?.toISOString() ?? null,
    undone_at: fact.undone_at?.toISOString() ?? null,
  };
}
