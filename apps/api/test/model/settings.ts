import type { ApiResponse } from "../test-service.ts";
import { type Deed, unitOf } from "./history.ts";
import { type Program, reviewOf, tiersOf } from "./program.ts";

/** Sends a request. Returns "done", or the code of the error. */
export async function update(
  { organization }: Program,
  method: string,
  path: string,
  body: object,
): Promise<string> {
  const answer: ApiResponse = await organization.rest(method, path, body);
  return answer.status === 200 ? "done" : (answer.body.error?.code ?? String(answer.status));
}

type SettingsDeed = Deed & {
  kind: `set_${"rate" | "leads" | "review" | "recruiting" | "tiers" | "affiliate" | "payouts"}`;
};

/** Changes settings of a campaign, an affiliate or payouts. */
export async function changeSettings(
  program: Program,
  deed: SettingsDeed,
  currency: string,
): Promise<string> {
  const { campaigns, affiliates, staff } = program;
  if ("campaign" in deed) {
    const campaign = campaigns[deed.campaign];
    // Nobody may be in the campaign.
    if (campaign === undefined) return "done";
    return await update(program, "PUT", `/campaigns/${campaign}`, termsOf(deed));
  }
  if (deed.kind === "set_affiliate") {
    const { banned, approved } = deed;
    return await update(program, "PUT", `/affiliates/${affiliates[deed.affiliate]}`, { banned, approved });
  }
  const { hold_days, minimum } = deed;
  await staff.settings.update.mutate({
    ...(hold_days === undefined ? {} : { hold_days }),
    ...(minimum === undefined ? {} : { minimum_payouts: { [currency]: minimum / unitOf(currency) } }),
  });
  return "done";
}

function termsOf(deed: Extract<SettingsDeed, { campaign: number }>): object {
  switch (deed.kind) {
    case "set_leads":
      return { lead_commissions: deed.leads };
    case "set_recruiting":
      return { recruiting: deed.recruiting };
    case "set_tiers":
      return { tiers: tiersOf(deed.tiers, deed.campaign) };
    case "set_review":
      return reviewOf(deed.terms);
    case "set_rate":
      return { commission_type: deed.rate.type, commission_amount: deed.rate.amount };
  }
}
