import { findRuleSets, type StoredRule } from "@findersfee/database/campaigns/rule-sets";
import type { Connection } from "@findersfee/database/postgres/connect";

/** Sets in the memory of a process: a set of 50 rules takes some 50 kB. */
const MAX_SETS = 1_000;

/** Sets by organization and id, the last used one last. A set never changes. */
const sets = new Map<string, readonly StoredRule[]>();

/** Reads sets of rules. Most processes already know most of them. */
export async function loadRuleSets(
  sql: Connection,
  organization_id: string,
  wanted: readonly string[],
): Promise<(id: string) => readonly StoredRule[]> {
  const loaded = new Map<string, readonly StoredRule[]>();
  for (const id of wanted) {
    const known = sets.get(keyOf(organization_id, id));
    if (known !== undefined) loaded.set(id, known);
  }
  const missing = wanted.filter((id) => !loaded.has(id));
  if (missing.length > 0) {
    for (const { id, rules } of await findRuleSets(sql, organization_id, missing)) loaded.set(id, rules);
  }
  for (const [id, rules] of loaded) remember(keyOf(organization_id, id), rules);
  return (id) => loaded.get(id) ?? unknownSet(id);
}

function unknownSet(id: string): never {
  throw new Error(`the set of rules ${id} does not exist`);
}

const keyOf = (organization_id: string, id: string) => `${organization_id} ${id}`;

function remember(key: string, rules: readonly StoredRule[]): void {
  sets.delete(key);
  sets.set(key, rules);
  const [oldest] = sets.keys();
  if (sets.size > MAX_SETS && oldest !== undefined) sets.delete(oldest);
}
