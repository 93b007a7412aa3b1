import type { AffiliateReviewRow } from "@findersfee/database/affiliates/review";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { findClaim } from "@findersfee/database/customers/claims";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { claimDecided } from "./claim-decided.ts";
import type { MailContent } from "./content.ts";
import type { Dropped } from "./dropped.ts";
import type { MailLanguage } from "./language.ts";

/** The mail about a decided claim, with the commission that it has now. */
export async function composeClaimContent(
  sql: Connection,
  {
    organization_id,
    organization_name,
    about,
    language,
  }: { organization_id: string; organization_name: string; about: string; language: MailLanguage },
  {
    affiliate: { first_name, banned },
    review: { agreed_at },
  }: { affiliate: AffiliateRow; review: Pick<AffiliateReviewRow, "agreed_at"> },
): Promise<MailContent | Dropped> {
  if (banned) return { dropped: "the affiliate is banned" };
  const claim = await findClaim(sql, organization_id, about);
  if (claim === null) return { dropped: "the claim does not exist" };
  const { state, commission_id } = claim;
  const commission =
    commission_id === null ? null : await findCommission(sql, organization_id, commission_id);
  return claimDecided(
    {
      ...claim,
      // In a frame, affiliates report sales before they have agreed.
      answer: agreed_at === null ? null : claim.answer,
      organization_name,
      first_name,
      accepted: state === "accepted",
      commission: commission?.payout_status === "voided" ? null : commission,
    },
    language,
  );
}
