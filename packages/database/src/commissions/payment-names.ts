import type { Connection } from "../postgres/connect.ts";
import { StaleCommissionError } from "../postgres/errors.ts";
import { statement } from "../postgres/statement.ts";

/** A name of a payment, and the commission that has the payment. */
export interface PaymentName {
  name: string;
  commission_id: string;
}

/** The constraint that a second commission of a payment violates. */
export const ONE_COMMISSION = "payment_names_pkey";

const FIND = statement<PaymentName, "organization_id" | "names">(`
  select name, commission_id from payment_names
  where organization_id = :organization_id::uuid and name = any (:names::text[])`);

/** Returns the names among these that a commission has. */
export async function findPaymentNames(
  sql: Connection,
  organizationId: string,
  names: string[],
): Promise<PaymentName[]> {
  return names.length === 0 ? [] : await FIND.run(sql, { organization_id: organizationId, names });
}

const INSERT = statement<object, "organization_id" | "names" | "commission_ids">(`
  insert into payment_names (organization_id, name, commission_id)
  select :organization_id::uuid, name, commission_id
  from unnest(:names::text[], :commission_ids::uuid[]) as named (name, commission_id)`);

/**
 * Gives names to commissions.
 *
 * @throws PostgresError a violation of `ONE_COMMISSION` if another commission has one of them
 */
export async function insertPaymentNames(
  sql: Connection,
  organizationId: string,
  named: readonly PaymentName[],
): Promise<void> {
  if (named.length === 0) return;
  await INSERT.run(sql, {
    organization_id: organizationId,
    names: named.map(({ name }) => name),
    commission_ids: named.map(({ commission_id }) => commission_id),
  });
}

/** A name that goes from one commission to another. */
export interface MovedName extends PaymentName {
  from_id: string;
}

const MOVE = statement<{ name: string }, "organization_id" | "names" | "from_ids" | "commission_ids">(`
  update payment_names known set commission_id = moved.commission_id
  from unnest(:names::text[], :from_ids::uuid[], :commission_ids::uuid[]) as moved (name, from_id, commission_id)
  where known.organization_id = :organization_id::uuid and known.name = moved.name
    and known.commission_id = moved.from_id
  returning known.name`);

/**
 * Moves names, as when a charge turns out to be part of an invoice.
 *
 * @throws StaleCommissionError if a name is no longer where it was read
 */
export async function movePaymentNames(
  sql: Connection,
  organizationId: string,
  moved: readonly MovedName[],
): Promise<void> {
  if (moved.length === 0) return;
  const rows = await MOVE.run(sql, {
    organization_id: organizationId,
    names: moved.map(({ name }) => name),
    from_ids: moved.map(({ from_id }) => from_id),
    commission_ids: moved.map(({ commission_id }) => commission_id),
  });
  if (rows.length !== moved.length) throw new StaleCommissionError();
}
