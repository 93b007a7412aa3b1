import type { RuleScheduleRow } from "../campaigns/rule-sets.ts";
import type { Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

const SET = statement<object, "organization_id" | "id" | "schedule">(`
  update affiliates set rule_schedule = :schedule::text::jsonb
  where organization_id = :organization_id::uuid and id = :id::uuid`);

/** Replaces an affiliate's own rules, oldest first. The caller has locked the affiliate. */
export async function setRuleSchedule(
  sql: Transaction,
  organizationId: string,
  { id, schedule }: { id: string; schedule: readonly RuleScheduleRow[] },
): Promise<void> {
  await SET.run(sql, { organization_id: organizationId, id, schedule: JSON.stringify(schedule) });
}
