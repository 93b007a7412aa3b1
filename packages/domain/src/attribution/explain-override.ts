import type {
  NamedOverride,
  OverrideChange,
  OverrideStory,
} from "@findersfee/contract/attribution/override-rows";
import type { Override } from "@findersfee/contract/attribution/overrides";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import { findOverride, listOverrides } from "@findersfee/database/attribution/overrides";
import { listAuditEntries } from "@findersfee/database/audit-log/entries";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { viewOverride } from "./overrides/view.ts";
import { readExplanation } from "./write/explanation.ts";

/** A customer with more is the work of a program: the last ones are shown. */
const MAX_OVERRIDES = 50;
/** It is made, resumed and undone. */
const MAX_CHANGES = 3;

/** A person's decision about a payment, by the stored explanation; null: none. */
export async function explainOverride(
  sql: Connection,
  organizationId: string,
  explanation: unknown,
): Promise<NamedOverride | null> {
  const { override } = readExplanation(explanation);
  if (override === undefined) return null;
  const row = await findOverride(sql, organizationId, override.id);
  if (row === null) return null;
  const [named = null] = await nameAffiliates(sql, organizationId, [viewOverride(row)]);
  return named;
}

/** Overrides, the newest first, with their later changes. */
export async function listOverrideStories(
  sql: Connection,
  organizationId: string,
  customer_ids: readonly string[],
): Promise<OverrideStory[]> {
  if (customer_ids.length === 0) return [];
  const range = { below: null, offset: 0, limit: MAX_OVERRIDES };
  const rows = await listOverrides(sql, organizationId, { customer_ids, range });
  const named = await nameAffiliates(sql, organizationId, rows.map(viewOverride));
  return await Promise.all(
    named.map(async (override) => ({
      ...override,
      changes: await readChanges(sql, organizationId, override),
    })),
  );
}

async function nameAffiliates(
  sql: Connection,
  organizationId: string,
  overrides: readonly Override[],
): Promise<NamedOverride[]> {
  const ids = [...new Set(overrides.flatMap(({ affiliate_id }) => affiliate_id ?? []))];
  const affiliates = ids.length === 0 ? [] : await findAffiliates(sql, organizationId, ids);
  const by_id = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]));
  return overrides.map(({ affiliate_id, ...override }) => ({
    ...override,
    affiliate: viewAffiliate(by_id.get(affiliate_id ?? "")),
  }));
}

function viewAffiliate(affiliate: AffiliateRow | undefined): NamedOverride["affiliate"] {
  if (affiliate === undefined) return null;
  const { id, email, first_name, last_name } = affiliate;
  return { id, email, first_name, last_name };
}

/** Who ended or undid an override, from the audit log. */
async function readChanges(
  sql: Connection,
  organizationId: string,
  { id, ended_at, undone_at }: Pick<Override, "id" | "ended_at" | "undone_at">,
): Promise<OverrideChange[]> {
  if (ended_at === null && undone_at === null) return [];
  const entries = await listAuditEntries(sql, organizationId, {
    filter: { resource: "override", resource_id: id },
    range: { from_id: null, below_id: null, limit: MAX_CHANGES },
  });
  const changeAt = (change: OverrideChange["change"], at: string | null, field: string): OverrideChange[] => {
    const entry = entries.find(({ after }) => at !== null && after?.[field] === at);
    if (at === null || entry === undefined) return [];
    const { actor, actor_name, after } = entry;
    return [
      { change, at, actor, actor_name, reason: typeof after?.reason === "string" ? after.reason : null },
    ];
  };
  return [...changeAt("resumed", ended_at, "ended_at"), ...changeAt("undone", undone_at, "undone_at")];
}
