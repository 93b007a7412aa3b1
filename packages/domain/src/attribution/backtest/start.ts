import {
  type BacktestSummary,
  type CreateBacktest,
  MAX_BACKTESTS,
} from "@findersfee/contract/attribution/backtests";
import type { TiersInput } from "@findersfee/contract/campaigns/tiers";
import { haveAffiliates } from "@findersfee/database/affiliates/affiliates";
import {
  deleteSurplusBacktests,
  findMetadataSince,
  insertBacktest,
} from "@findersfee/database/attribution/backtests";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import { readRules } from "@findersfee/database/campaigns/rule-sets";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findLastJob } from "@findersfee/database/work/jobs";
import { rulesToStored } from "../../campaigns/rules/read.ts";
import { viewRules } from "../../campaigns/rules/view.ts";
import { mergeSettings } from "../../campaigns/settings.ts";
import { ruleIssues, tiersToStored } from "../../campaigns/tiers/read.ts";
import { withoutTiers } from "../../campaigns/tiers/view.ts";
import { viewRuledCampaign } from "../../campaigns/view.ts";
import type { Context, OrganizationContext } from "../../context.ts";
import { notFound, requireNoIssues } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.ts";
import { cancelWithin } from "../../work/jobs/cancel.ts";
import { startJobWithin } from "../../work/jobs/start.ts";
import { type Draft, readDraft, type StoredDraft } from "./draft.ts";
import { requireBacktest, viewSummary } from "./view.ts";

/**
 * Starts a job that tries a draft on past payments. It cancels the one that runs, if any. Errors: `not_found`
 * (campaign, affiliate), `invalid_request`, `jobs_running`.
 */
export async function startBacktest(context: Context, input: CreateBacktest): Promise<BacktestSummary> {
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    await lockOrganization(sql, organization.id);
    const last = await findLastJob(sql, organization.id, "backtest");
    if (last?.state === "running") await cancelWithin(sql, context, last.id);
    const { stored } = await resolveDraft(sql, organization, input);
    const { id } = await startJobWithin(sql, context, { kind: "backtest", input: stored });
    await insertBacktest(sql, organization.id, id);
    await deleteSurplusBacktests(sql, organization.id, MAX_BACKTESTS);
    return viewSummary(await requireBacktest(sql, organization.id, id));
  });
}

/** The draft with all settings of its campaign, checked. Errors: `not_found`, `invalid_request`. */
export async function resolveDraft(
  sql: Connection,
  organization: OrganizationContext,
  { campaign, affiliate_rules = [], months }: CreateBacktest,
): Promise<{ stored: StoredDraft; draft: Draft }> {
  const until = new Date();
  const from = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - months, 1));
  const ids = [...new Set(affiliate_rules.flatMap(({ affiliate_ids }) => affiliate_ids))];
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (distinct.length > 0 && !(await haveAffiliates(sql, organization.id, distinct)))
    throw notFound("affiliate");
  const stored: StoredDraft = {
    from: from.toISOString(),
    until: until.toISOString(),
    ...(campaign === undefined
      ? { campaign: null, tier_rules: [], reviewed_now: null }
      : await settingsOf(sql, organization, campaign)),
    affiliate_rules,
    unrecorded_metadata: [],
  };
  const draft = readDraft(stored, organization.currency);
  return {
    stored: { ...stored, unrecorded_metadata: await unrecorded(sql, organization, draft) },
    draft,
  };
}

/** The campaign's settings with the changed ones, and the rules of its tiers. */
async function settingsOf(
  sql: Connection,
  organization: OrganizationContext,
  { campaign_id, tiers, ...change }: NonNullable<CreateBacktest["campaign"]>,
): Promise<Pick<StoredDraft, "campaign" | "tier_rules" | "reviewed_now">> {
  const row = await findCampaign(sql, organization.id, campaign_id);
  if (row === null) throw notFound("campaign");
  const {
    commission_type,
    commission_amount,
    limit_type,
    limit_amount,
    custom_commission_type,
    custom_commissions,
    first_payment_commission,
    commission_cap,
    skip_prorations,
    rules,
    review,
    review_above_amount,
    review_approve_after_days,
  } = viewRuledCampaign(row, organization.currency);
  const reviewed_now = { review, review_above_amount, review_approve_after_days };
  const current: Omit<NonNullable<StoredDraft["campaign"]>, "campaign_id" | "tiers"> = {
    commission_type,
    commission_amount,
    limit_type,
    limit_amount,
    custom_commission_type,
    custom_commissions,
    first_payment_commission,
    commission_cap,
    skip_prorations,
    rules,
    ...reviewed_now,
  };
  const stored = row.rules === null ? [] : readRules(row.rules);
  const others = new Set(withoutTiers(stored, row.tiers));
  const merged = { campaign_id: row.id, ...mergeSettings(current, change) };
  if (tiers !== undefined) {
    const drafted = withIds(tiers);
    requireNoIssues(
      ruleIssues(
        rulesToStored(merged.rules, "rules").values,
        tiersToStored(drafted, organization.currency).values,
      ).map(({ path, message }) => ({ path: `campaign.${path}`, message })),
    );
    return { campaign: { ...merged, tiers: drafted }, tier_rules: [], reviewed_now };
  }
  const tier_rules = viewRules(stored.filter((rule) => !others.has(rule)));
  return { campaign: merged, tier_rules, reviewed_now };
}

/** New tiers get ids, which are the same in all steps of the job. */
function withIds(tiers: TiersInput | null): TiersInput | null {
  if (tiers === null) return null;
  const steps = tiers.steps.map(({ id = newId(new Date()), ...step }) => ({ id, ...step }));
  return { ...tiers, steps };
}

/** Keys that the draft's rules name, and that were not recorded in the whole period. */
async function unrecorded(
  sql: Connection,
  organization: OrganizationContext,
  { rules, period }: Draft,
): Promise<StoredDraft["unrecorded_metadata"]> {
  const all = [...rules.values()].flat();
  const keys = [...new Set(all.flatMap(({ conditions }) => conditions.metadata?.key ?? []))];
  if (keys.length === 0) return [];
  const found = await findMetadataSince(sql, organization.id, keys);
  return found.flatMap(({ key, since }) =>
    since === null || since > period.from ? { key, recorded_since: since?.toISOString() ?? null } : [],
  );
}
