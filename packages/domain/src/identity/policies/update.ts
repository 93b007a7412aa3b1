import { isDeepStrictEqual } from "node:util";
import type { Issue } from "@findersfee/contract/errors";
import type { SecurityPolicy, UpdateSecurityPolicy } from "@findersfee/contract/identity/security-policies";
import {
  canonicalNetworks,
  countApprovers,
  findSecurityPolicy,
  listOwnerIds,
  type SecurityPolicyRow,
  upsertSecurityPolicy,
} from "@findersfee/database/identity/security-policies";
import { findUser } from "@findersfee/database/identity/users";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import type { MinimumPayoutsRow } from "@findersfee/database/organizations/settings";
import type { Connection } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import { noteOrganizationChange } from "../../caching/organization-changes.ts";
import type { Context } from "../../context.ts";
import { invalidField, requireNoIssues } from "../../errors.ts";
import { toMinor } from "../../money.ts";
import { inTransaction } from "../../transaction.ts";
import type { Browser } from "../accounts/browser.ts";
import { requireRecentConfirmationTo, type SignedInUser } from "../accounts/recent-sign-in.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import { allowedNetworks, requireNetworks } from "../rights/networks.ts";
import { viewSecurityPolicy } from "./view.ts";

/** An owner who changes policies, with the session and the browser of the request. */
export interface PolicyAuthor {
  person: SignedInUser;
  browser: Browser;
}

/**
 * Changes the organization's security policies, which every process applies within a second. Only with a recent confirmation, and
 * never so that the owner who makes the change is locked out by it.
 *
 * @throws DomainError `sign_in_again`; `invalid_request`, also for an owner without an authenticator app or outside of the networks,
 *   and for approvals without a second member who can give them
 */
export async function updateSecurityPolicy(
  context: Context,
  author: PolicyAuthor,
  input: UpdateSecurityPolicy,
): Promise<SecurityPolicy> {
  return await change(context, async (sql) => {
    await requireRecentConfirmationTo(sql, context.organization.id, author.person);
    const before = await findSecurityPolicy(sql, context.organization.id);
    const after = await applyTo(sql, before, input);
    await requirePossible(sql, context, { before, after, author });
    return { before, after, author };
  });
}

/** Policies that can keep everybody out of an organization. */
export const liftablePolicies = [
  "second-factor",
  "sessions",
  "key-networks",
  "staff-networks",
  "approval",
] as const;

export type LiftablePolicy = (typeof liftablePolicies)[number];

const LIFTED: Record<LiftablePolicy, Partial<SecurityPolicyRow>> = {
  "second-factor": { second_factor_required: false },
  sessions: { session_hours: null, idle_minutes: null },
  "key-networks": { key_networks: [] },
  "staff-networks": { staff_networks: [] },
  approval: { approval_amounts: null },
};

/** The operator's way back into an organization that locked itself out. */
export async function liftSecurityPolicies(
  context: Context,
  policies: readonly LiftablePolicy[],
): Promise<SecurityPolicy> {
  return await change(context, async (sql) => {
    const before = await findSecurityPolicy(sql, context.organization.id);
    const after: SecurityPolicyRow = Object.assign({}, before, ...policies.map((name) => LIFTED[name]));
    return { before, after, author: null };
  });
}

interface PolicyChange {
  before: SecurityPolicyRow;
  after: SecurityPolicyRow;
  /** Null: the operator. */
  author: PolicyAuthor | null;
}

/** Writes a change with its audit log entry and its security events, in one transaction. */
async function change(
  context: Context,
  decide: (sql: Connection) => Promise<PolicyChange>,
): Promise<SecurityPolicy> {
  const organization_id = context.organization.id;
  const updated = await inTransaction(context, async (sql) => {
    await lockOrganization(sql, organization_id);
    const { before, after, author } = await decide(sql);
    if (isDeepStrictEqual(before, after)) return viewSecurityPolicy(after);
    await upsertSecurityPolicy(sql, organization_id, after);
    await writeAuditEntry(sql, context, {
      resource: "settings",
      id: organization_id,
      action: "updated",
      before: { ...viewSecurityPolicy(before) },
      after: { ...viewSecurityPolicy(after) },
    });
    await recordChange(sql, context, author);
    return viewSecurityPolicy(after);
  });
  noteOrganizationChange(context.database, organization_id);
  return updated;
}

/**
 * Records the change in the events of the owner who made it, with a mail; in those of all owners, if the
 * operator made it.
 */
async function recordChange(sql: Connection, context: Context, author: PolicyAuthor | null): Promise<void> {
  const kind = "policies_changed";
  if (author !== null) {
    const { person, browser } = author;
    await recordSecurityEvent(sql, { user_id: person.user_id, kind, browser, mailed: true });
    return;
  }
  const actor = actorText(context.actor);
  for (const user_id of await listOwnerIds(sql, context.organization.id)) {
    await recordSecurityEvent(sql, { user_id, kind, browser: null, actor, mailed: true });
  }
}

async function applyTo(
  sql: Connection,
  before: SecurityPolicyRow,
  input: UpdateSecurityPolicy,
): Promise<SecurityPolicyRow> {
  const networks = async (field: "key_networks" | "staff_networks") => {
    const listed = input[field];
    if (listed === undefined) return before[field];
    requireNetworks(field, listed);
    return await canonicalNetworks(sql, listed);
  };
  const { second_factor_required, session_hours, idle_minutes, approval_amounts } = input;
  return {
    second_factor_required: second_factor_required ?? before.second_factor_required,
    session_hours: session_hours === undefined ? before.session_hours : session_hours,
    idle_minutes: idle_minutes === undefined ? before.idle_minutes : idle_minutes,
    key_networks: await networks("key_networks"),
    staff_networks: await networks("staff_networks"),
    approval_amounts:
      approval_amounts === undefined ? before.approval_amounts : toMinorAmounts(approval_amounts),
  };
}

/** Without any, each run waits. */
function toMinorAmounts(amounts: Record<string, number> | null): MinimumPayoutsRow | null {
  if (amounts === null) return null;
  const issues: Issue[] = [];
  const row: MinimumPayoutsRow = {};
  for (const [currency, amount] of Object.entries(amounts)) {
    const minor = toMinor(amount, currency);
    if (minor === null) {
      issues.push({ path: `approval_amounts.${currency}`, message: `Has more decimals than ${currency}.` });
    } else row[currency] = `${minor}`;
  }
  requireNoIssues(issues);
  return row;
}

async function requirePossible(
  sql: Connection,
  { organization }: Context,
  { before, after, author }: PolicyChange & { author: PolicyAuthor },
): Promise<void> {
  if (after.second_factor_required && !before.second_factor_required) {
    const user = await findUser(sql, author.person.user_id);
    if (user?.two_factor_enabled !== true) {
      throw invalidField("second_factor_required", "Set up an authenticator app in your own account first.");
    }
  }
  const staff = allowedNetworks(after.staff_networks);
  const { ip_address } = author.browser;
  if (staff !== null && !staff.includes(ip_address)) {
    throw invalidField(
      "staff_networks",
      `Your own address, ${ip_address}, is not in the list, so this would lock you out. Add it first.`,
    );
  }
  if (after.approval_amounts === null || before.approval_amounts !== null) return;
  if ((await countApprovers(sql, organization.id)) < 2) {
    throw invalidField(
      "approval_amounts",
      "Needs a second owner or admin, or nobody could approve the payout runs that you start.",
    );
  }
}
