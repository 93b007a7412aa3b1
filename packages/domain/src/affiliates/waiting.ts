import {
  type ListWaiting,
  MAX_COUNTED_WAITING,
  type WaitingAffiliate,
  type WaitingPage,
} from "@findersfee/contract/affiliates/review";
import {
  countWaiting,
  listWaiting as listRows,
  type WaitingAffiliateRow,
} from "@findersfee/database/affiliates/review";
import type { Context } from "../context.ts";
import { stateOf } from "./state.ts";

/** The applications, oldest first, with the reasons for and against each. */
export async function listWaiting(
  { database, organization }: Context,
  { campaign_id, after, limit }: ListWaiting,
): Promise<WaitingPage> {
  const [rows, count] = await Promise.all([
    listRows(database, organization.id, { campaign_id, after, limit: limit + 1 }),
    countWaiting(database, organization.id, { campaign_id, most: MAX_COUNTED_WAITING }),
  ]);
  const shown = rows.slice(0, limit);
  return { data: shown.map(view), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null, count };
}

function view({
  campaign_id,
  campaign_name,
  created_at,
  email_confirmed_at,
  custom_fields,
  others,
  ...row
}: WaitingAffiliateRow): WaitingAffiliate {
  return {
    ...row,
    custom_fields: custom_fields.map(({ id, label, value }) => ({ id, label, value })),
    campaign: { id: campaign_id, name: campaign_name },
    created_at: created_at.toISOString(),
    email_confirmed_at: email_confirmed_at?.toISOString() ?? null,
    others: others.map((other) => ({
      id: other.id,
      campaign_name: other.campaign_name,
      state: stateOf(other),
    })),
  };
}
