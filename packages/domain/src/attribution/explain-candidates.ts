import type { ExplainedCandidate } from "@findersfee/contract/attribution/payment-rows";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import type { CandidateResult } from "./decide/attribute.ts";
import { findClicks } from "./facts/clicks.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A candidate of a payment, and when that was paid. */
export interface PaymentCandidate {
  candidate: CandidateResult;
  paid_at: Date;
}

/** Adds the affiliates and clicks to candidates, in two statements for all of them. */
export async function explainCandidates(
  sql: Connection,
  organizationId: string,
  all: readonly PaymentCandidate[],
): Promise<ExplainedCandidate[]> {
  if (all.length === 0) return [];
  const affiliate_ids = [...new Set(all.flatMap(({ candidate }) => candidate.affiliate_id ?? []))];
  const click_ids = all.flatMap(({ candidate: { source, reference } }) =>
    source === "promo_code" ? [] : [reference],
  );
  const affiliates = await findAffiliates(sql, organizationId, affiliate_ids);
  const clicks = await findClicks(sql, organizationId, click_ids);
  const affiliate_of = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]));
  const click_of = new Map(clicks.map((click) => [click.id, click]));
  return all.map(({ candidate, paid_at }) =>
    viewCandidate(candidate, {
      affiliate: affiliate_of.get(candidate.affiliate_id ?? "") ?? null,
      click: click_of.get(candidate.reference) ?? null,
      paid_at,
    }),
  );
}

function viewCandidate(
  { source, reference, result }: CandidateResult,
  { affiliate, click, paid_at }: { affiliate: AffiliateRow | null; click: ClickRow | null; paid_at: Date },
): ExplainedCandidate {
  return {
    source,
    reference,
    result,
    affiliate: affiliate === null ? null : viewAffiliateState(affiliate),
    click:
      click === null
        ? null
        : {
            clicked_at: click.clicked_at.toISOString(),
            code: click.code,
            landing_url: click.landing_url,
            referrer: click.referrer,
            sub_id: click.sub_id,
          },
    age_days:
      click === null ? null : Math.floor((paid_at.getTime() - click.clicked_at.getTime()) / DAY_MILLISECONDS),
    cookie_duration: click === null ? null : (affiliate?.campaign.cookie_duration ?? null),
  };
}

/** An affiliate's name, and whether it may refer. */
export function viewAffiliateState({ id, email, first_name, last_name, approved, banned }: AffiliateRow) {
  return { id, email, first_name, last_name, approved, banned };
}
