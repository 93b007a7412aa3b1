import type { CheckCode, CheckedCode } from "@findersfee/contract/affiliates/review";
import { findCodeOwner } from "@findersfee/database/affiliates/review";
import type { Context } from "../context.ts";

/** Whether a code is free, and who has or had it if not. An affiliate's own code is free for it. */
export async function checkCode(
  { database, organization }: Context,
  { affiliate_id, ...code }: CheckCode,
): Promise<CheckedCode> {
  const owner = await findCodeOwner(database, organization.id, code);
  const affiliate = owner?.id === affiliate_id ? null : owner;
  return { is_free: affiliate === null, affiliate };
}
