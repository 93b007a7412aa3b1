import type { BillingInterval } from "@findersfee/contract/campaigns/rules";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The conditions of a rule; those that it does not have are absent. Amounts are in minor units. */
export interface StoredConditions {
  products?: readonly string[];
  intervals?: readonly BillingInterval[];
  payments?: { from?: number; to?: number };
  months?: { from?: number; to?: number };
  countries?: readonly string[];
  currencies?: readonly string[];
  amount?: { currency: string; from_minor?: bigint; below_minor?: bigint };
  metadata?: { key: string; values: readonly string[] };
  promo_codes?: readonly string[];
  /** In lower case. */
  tiers?: readonly string[];
  /** In lower case. */
  tags?: readonly string[];
}

export type StoredReward =
  /** Ten-thousandths of a percent. */
  | { type: "percentage"; value: bigint }
  /** Minor units of each currency. */
  | { type: "fixed"; amounts: readonly { currency: string; value: bigint }[] }
  | { type: "nothing" };

/** A rule for commissions. */
export interface StoredRule {
  id: string;
  /** Null: it has none. */
  name: string | null;
  conditions: StoredConditions;
  reward: StoredReward;
}

/** An affiliate's own rules from a time on. */
export interface RuleScheduleRow {
  /** ISO 8601. */
  starts_at: string;
  /** Null: it has none of its own. */
  rule_set_id: string | null;
  note: string | null;
}

const MINOR = new Set(["value", "from_minor", "below_minor"]);

/** Amounts are stored as text, so that no digits are lost. */
export function writeRules(rules: readonly StoredRule[]): string {
  return JSON.stringify(rules, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}

/** The inverse of `writeRules`. */
export function readRules(text: string): StoredRule[] {
  return JSON.parse(text, (key, value) => (MINOR.has(key) ? BigInt(value) : value));
}

const INSERT = statement<object, "organization_id" | "id" | "rules">(`
  insert into commission_rule_sets (organization_id, id, rules)
  values (:organization_id::uuid, :id::uuid, :rules::text::jsonb)`);

/** Stores a set. Campaigns, affiliates and snapshots refer to it by its id. */
export async function insertRuleSet(
  sql: Connection,
  organizationId: string,
  { id, rules }: { id: string; rules: readonly StoredRule[] },
): Promise<void> {
  await INSERT.run(sql, { organization_id: organizationId, id, rules: writeRules(rules) });
}

const FIND = statement<{ id: string; rules: string }, "organization_id" | "ids">(`
  select id, rules::text as rules from commission_rule_sets
  where organization_id = :organization_id::uuid and id = any (:ids::uuid[])`);

/** Returns the sets among these that exist. */
export async function findRuleSets(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; rules: StoredRule[] }[]> {
  const rows = await FIND.run(sql, { organization_id: organizationId, ids });
  return rows.map(({ id, rules }) => ({ id, rules: readRules(rules) }));
}

const ADD_KEYS = statement<object, "organization_id" | "keys">(`
  update organizations
  set metadata_keys = array(select distinct key from unnest(metadata_keys || :keys::text[]) as key order by key)
  where id = :organization_id::uuid and not metadata_keys @> :keys::text[]`);

/** From now on, the values of these keys of payments' metadata are stored. */
export async function addMetadataKeys(
  sql: Connection,
  organizationId: string,
  keys: readonly string[],
): Promise<void> {
  await ADD_KEYS.run(sql, { organization_id: organizationId, keys });
}

const FIND_KEYS = statement<{ metadata_keys: string[] }, "organization_id">(`
  select metadata_keys from organizations where id = :organization_id::uuid`);

/** The keys of payments' metadata that rules name, or once named. */
export async function findMetadataKeys(sql: Connection, organizationId: string): Promise<string[]> {
  const [row] = await FIND_KEYS.run(sql, { organization_id: organizationId });
  return row?.metadata_keys ?? [];
}
