import type { SecurityPolicy } from "@findersfee/contract/identity/security-policies";
import { findSecurityPolicy, type SecurityPolicyRow } from "@findersfee/database/identity/security-policies";
import type { Context } from "../../context.ts";
import { viewMinimums } from "../../payouts/runs/minimum.ts";

/** The policies of the organization; test data has its organization's. */
export async function getSecurityPolicy({
  database,
  organization,
}: Pick<Context, "database" | "organization">): Promise<SecurityPolicy> {
  return viewSecurityPolicy(await findSecurityPolicy(database, organization.id));
}

/** As in responses and in the audit log. */
export function viewSecurityPolicy({ approval_amounts, ...policy }: SecurityPolicyRow): SecurityPolicy {
  return { ...policy, approval_amounts: approval_amounts === null ? null : viewMinimums(approval_amounts) };
}
