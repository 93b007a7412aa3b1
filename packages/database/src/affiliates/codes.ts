import type { Connection } from "../postgres/connect.ts";
import { lowerCase } from "../postgres/lower-case.ts";
import type { CodeRow } from "../rows.ts";

export type CodeKind = CodeRow["kind"];

export interface NewCode {
  id: string;
  affiliate_id: string;
  kind: CodeKind;
  code: string;
  created_at: Date;
}

/** Returns those of the codes that the organization's affiliates already use, in lower case. */
export async function takenCodes(
  sql: Connection,
  organizationId: string,
  { kind, codes }: { kind: CodeKind; codes: string[] },
): Promise<Set<string>> {
  const rows = await sql<{ code: string }[]>`
    select lower(code) as code from affiliate_codes
    where organization_id = ${organizationId} and kind = ${kind}
      and lower(code) = any (${codes.map(lowerCase)}::text[])`;
  return new Set(rows.map((row) => row.code));
}

export async function insertCode(sql: Connection, organizationId: string, code: NewCode): Promise<void> {
  // A promo code is also created at the processor.
  const due_at = code.kind === "promo" ? code.created_at : null;
  await sql`insert into affiliate_codes ${sql({ ...code, organization_id: organizationId, due_at })}`;
}

/** Changes the text of the affiliate's first code of a kind. False: the affiliate has no code of that kind. */
export async function renameCode(
  sql: Connection,
  organizationId: string,
  { affiliate_id, kind, code }: { affiliate_id: string; kind: CodeKind; code: string },
): Promise<boolean> {
  const result = await sql`
    update affiliate_codes set code = ${code},
      due_at = case when kind = 'promo' and code <> ${code} then now() else due_at end,
      external_request_id = case when code = ${code} then external_request_id end
    where organization_id = ${organizationId} and id = (
      select id from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = ${affiliate_id} and kind = ${kind}
      order by id limit 1)`;
  return result.count > 0;
}
