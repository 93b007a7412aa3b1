import {
  addMetadataKeys,
  insertRuleSet,
  readRules,
  type StoredRule,
  writeRules,
} from "@findersfee/database/campaigns/rule-sets";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { newId } from "../../ids.ts";
import { viewRules } from "./view.ts";

interface StoredSet {
  /** Null: no rules. */
  rule_set_id: string | null;
  /** For `readRules`; null: none. */
  rules: string | null;
}

/**
 * Stores rules in a new set, or keeps the former one if they are the same. The keys of metadata that they name are recorded with
 * payments from then on.
 */
export async function storeRules(
  sql: Transaction,
  organization_id: string,
  { rules, before }: { rules: readonly StoredRule[]; before: StoredSet | null },
): Promise<StoredSet> {
  const former = before?.rules ? viewRules(readRules(before.rules)) : [];
  if (before !== null && JSON.stringify(former) === JSON.stringify(viewRules(rules))) {
    return { rule_set_id: before.rule_set_id, rules: before.rules };
  }
  if (rules.length === 0) return { rule_set_id: null, rules: null };
  const id = newId(new Date());
  await insertRuleSet(sql, organization_id, { id, rules });
  const keys = [...new Set(rules.flatMap(({ conditions }) => conditions.metadata?.key ?? []))];
  if (keys.length > 0) await addMetadataKeys(sql, organization_id, keys);
  return { rule_set_id: id, rules: writeRules(rules) };
}
