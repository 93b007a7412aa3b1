import {
  type AffiliateRules,
  MAX_RULE_PERIODS,
  type RemoveAffiliateRules,
  type SetAffiliateRules,
  type SetRules,
} from "@findersfee/contract/affiliates/rules";
import { toTimestamp } from "@findersfee/contract/timestamps";
import { findAffiliate, lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { setRuleSchedule } from "@findersfee/database/affiliates/rules";
import { findRuleSets, type RuleScheduleRow } from "@findersfee/database/campaigns/rule-sets";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { writeAuditEntry } from "../audit-log/write.ts";
import { rulesToStored } from "../campaigns/rules/read.ts";
import { storeRules } from "../campaigns/rules/store.ts";
import { viewRules } from "../campaigns/rules/view.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound, requireNoIssues } from "../errors.ts";
import { inTransaction } from "../transaction.ts";

/** An affiliate's own rules, which precede its campaign's. Errors: `not_found`. */
export async function getAffiliateRules(
  { database, organization }: Context,
  affiliate_id: string,
): Promise<AffiliateRules> {
  const affiliate = await findAffiliate(database, organization.id, affiliate_id);
  if (affiliate === null) throw notFound("affiliate");
  const periods = await viewSchedule(database, organization.id, affiliate.rule_schedule);
  return { affiliate_id: affiliate.id, periods };
}

/**
 * Gives affiliates rules of their own from a time on, all or none of them. Rules that start at the same time are replaced; others stay.
 * Payments that were decided before keep their terms. Errors: `not_found`, `invalid_request`.
 */
export async function setAffiliateRules(
  context: Context,
  { affiliate_ids, starts_at = new Date().toISOString(), note, rules }: SetAffiliateRules,
): Promise<SetRules> {
  const { values, issues } = rulesToStored(rules, "rules");
  requireNoIssues(issues);
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const { rule_set_id } = await storeRules(sql, organization_id, { rules: values, before: null });
    const ids = [...new Set(affiliate_ids.map((id) => id.toLowerCase()))].sort();
    for (const id of ids) {
      await changeSchedule(sql, context, {
        id,
        change: (schedule) => withPeriod(schedule, { starts_at, rule_set_id, note }),
      });
    }
    return { starts_at, affiliates: ids.length };
  });
}

/** Removes the rules that start at a time, if there are any: the former ones, or the campaign's, last on. Errors: `not_found`. */
export async function removeAffiliateRules(
  context: Context,
  { affiliate_id, starts_at }: RemoveAffiliateRules,
): Promise<AffiliateRules> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const periods = await changeSchedule(sql, context, {
      id: affiliate_id,
      change: (schedule) => schedule.filter((period) => period.starts_at !== starts_at),
    });
    const id = affiliate_id.toLowerCase();
    return { affiliate_id: id, periods: await viewSchedule(sql, organization_id, periods) };
  });
}

function withPeriod(schedule: readonly RuleScheduleRow[], period: RuleScheduleRow): RuleScheduleRow[] {
  const others = schedule.filter(({ starts_at }) => starts_at !== period.starts_at);
  const all = [...others, period].sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1));
  if (all.length <= MAX_RULE_PERIODS) return all;
  throw invalidField(
    "starts_at",
    `The affiliate's rules change ${MAX_RULE_PERIODS} times already. Remove some first.`,
  );
}

async function changeSchedule(
  sql: Transaction,
  context: Context,
  { id, change }: { id: string; change: (schedule: AffiliateRow["rule_schedule"]) => RuleScheduleRow[] },
): Promise<RuleScheduleRow[]> {
  const organization_id = context.organization.id;
  const affiliate = await lockAffiliate(sql, organization_id, id);
  if (affiliate === null) throw notFound("affiliate");
  const schedule = change(affiliate.rule_schedule);
  await setRuleSchedule(sql, organization_id, { id, schedule });
  await writeAuditEntry(sql, context, {
    resource: "affiliate",
    id,
    action: "updated",
    before: { commission_rules: await viewSchedule(sql, organization_id, affiliate.rule_schedule) },
    after: { commission_rules: await viewSchedule(sql, organization_id, schedule) },
  });
  return schedule;
}

async function viewSchedule(
  sql: Connection,
  organization_id: string,
  schedule: readonly RuleScheduleRow[],
): Promise<AffiliateRules["periods"]> {
  const ids = schedule.flatMap(({ rule_set_id }) => rule_set_id ?? []);
  const sets = ids.length === 0 ? [] : await findRuleSets(sql, organization_id, ids);
  const rulesOf = new Map(sets.map(({ id, rules }) => [id, rules]));
  return schedule.map(({ starts_at, rule_set_id, note }) => ({
    starts_at: toTimestamp(new Date(starts_at)),
    note,
    rules: viewRules(rule_set_id === null ? [] : (rulesOf.get(rule_set_id) ?? [])),
  }));
}
