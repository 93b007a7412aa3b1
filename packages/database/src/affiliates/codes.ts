import type { Connection } from "../postgres/connect.ts";
import { lowerCase } from "../postgres/lower-case.ts";
import { statement } from "../postgres/statement.ts";
import type { CodeRow } from "../rows.ts";

export type CodeKind = CodeRow["kind"];

export interface NewCode {
  id: string;
  affiliate_id: string;
  kind: CodeKind;
  code: string;
  created_at: Date;
}

/** Returns the codes among these that the organization's affiliates have or had, in lower case. */
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

/** Changes the text of the affiliate's first promo code. False: the affiliate has none. */
export async function renamePromoCode(
  sql: Connection,
  organizationId: string,
  { affiliate_id, code }: { affiliate_id: string; code: string },
): Promise<boolean> {
  const result = await sql`
    update affiliate_codes set code = ${code},
      due_at = case when code <> ${code} then now() else due_at end,
      external_request_id = case when code = ${code} then external_request_id end
    where organization_id = ${organizationId} and id = (
      select id from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = ${affiliate_id} and kind = 'promo'
      order by id limit 1)`;
  return result.count > 0;
}

const REPLACE_LINK_CODE = statement<{ is_wanted: boolean }, "organization_id" | "affiliate_id" | "code">(`
  update affiliate_codes
  set code = case when lower(code) = lower(:code::text) then :code::text else code end,
    replaced_at = case when lower(code) = lower(:code::text) then null else now() end
  where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and kind = 'link'
    and (lower(code) = lower(:code::text) or id = (
      select id from affiliate_codes
      where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and kind = 'link'
        and replaced_at is null
      order by id limit 1))
  returning lower(code) = lower(:code::text) as is_wanted`);

/**
 * Replaces the affiliate's first link code with one that it has or had. The replaced code stays the affiliate's. False:
 * the affiliate never had that code, so it must be inserted.
 */
export async function replaceLinkCode(
  sql: Connection,
  organizationId: string,
  code: { affiliate_id: string; code: string },
): Promise<boolean> {
  const rows = await REPLACE_LINK_CODE.run(sql, { organization_id: organizationId, ...code });
  return rows.some(({ is_wanted }) => is_wanted);
}

/** Returns link codes that the affiliate replaced, the last ones first. */
export async function listFormerLinkCodes(
  sql: Connection,
  organizationId: string,
  { affiliate_id, limit }: { affiliate_id: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ code: string }[]>`
    select code from affiliate_codes
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id} and replaced_at is not null
    order by replaced_at desc, id desc limit ${limit}`;
  return rows.map(({ code }) => code);
}

/** Returns the affiliate who has or had a link code, in any case; null: nobody. */
export async function findLinkCodeOwner(
  sql: Connection,
  organizationId: string,
  code: string,
): Promise<string | null> {
  const [row] = await sql<{ affiliate_id: string }[]>`
    select affiliate_id from affiliate_codes
    where organization_id = ${organizationId} and kind = 'link' and lower(code) = lower(${code})`;
  return row?.affiliate_id ?? null;
}
