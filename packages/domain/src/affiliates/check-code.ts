import type { CheckCode, CheckedCode } from "@findersfee/contract/affiliates/review";
import { findCodeOwner } from "@findersfee/database/affiliates/review";
import type { Context } from "../context.ts";

/** Whether a code is free, and who has it if not. */
export async function checkCode({ database, organization }: Context, code: CheckCode): Promise<CheckedCode> {
  const affiliate = await findCodeOwner(database, organization.id, code);
  return { is_free: affiliate === null, affiliate };
}
