/* Statements with wrong row types, which the check must find. */
import type { Connection } from "../../../../src/postgres/connect.ts";
import { statement } from "../../../../src/postgres/statement.ts";

export async function renamed(sql: Connection): Promise<unknown> {
  return await sql<{ id: string; middle_name: string }[]>`select id, first_name from affiliates`;
}

const NULLABLE = statement<{ id: string; payout_email: string }, "id">(
  "select id, payout_email from affiliates where id = :id::uuid",
);

export async function nullable(sql: Connection, id: string): Promise<unknown> {
  return await NULLABLE.run(sql, { id });
}

export async function nullableInView(sql: Connection): Promise<unknown> {
  return await sql<{ processor_payment_id: string }[]>`select processor_payment_id from commission_states`;
}

export async function ofAnotherType(sql: Connection): Promise<unknown> {
  return await sql.unsafe<{ clicks: number; created_at: string }[]>(
    "select clicks, created_at from affiliates",
  );
}

export async function misspelt(sql: Connection): Promise<unknown> {
  return await sql`update affiliates set middle_name = ''`;
}

export function notCalled() {
  return async (sql: Connection) => await sql<{ id: string }[]>`select id from affiliates`;
}
