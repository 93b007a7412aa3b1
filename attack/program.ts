import { randomBytes } from "node:crypto";
import type { Target } from "./attack.ts";
import { callApi, fieldsOf, listOf, send, textOf } from "./request.ts";

/** An affiliate of the attacked organization, with a link code. */
export interface Affiliate {
  id: string;
  code: string;
  campaign_id: string;
}

/** An address or id that no earlier run used. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString("hex")}`;
}

/** Creates a campaign with affiliates that have link codes. */
export async function createAffiliates(target: Target, count: number): Promise<Affiliate[]> {
  const campaign = await callApi(target, "/campaigns", {
    body: {
      name: unique("Attacked"),
      commission_type: "percentage",
      commission_amount: 30,
      website_url: "https://example.com",
    },
  });
  const campaign_id = textOf(fieldsOf(campaign.data).id);
  const affiliates: Affiliate[] = [];
  for (let index = 0; index < count; index++) {
    const code = unique("attack");
    const body = { campaign_id, email: `${code}@example.com`, ref_code: code, approved: true };
    const created = await callApi(target, "/affiliates", { body });
    affiliates.push({ id: textOf(fieldsOf(created.data).id), code, campaign_id });
  }
  return affiliates;
}

/** Clicks an affiliate's link; null if the click does not count. */
export async function clickLink(target: Target, { code }: Affiliate): Promise<string | null> {
  const { status, body } = await send(target, "/track/click", {
    body: { key: target.publishable_key, code },
  });
  if (status !== 200) throw new Error(`/track/click returned ${status}: ${JSON.stringify(body)}`);
  const { click_id } = fieldsOf(fieldsOf(body).data);
  return typeof click_id === "string" ? click_id : null;
}

/** Reports a sign-up as a page does, with the publishable key. Returns the response's status. */
export async function reportSignUp(target: Target, input: Record<string, string>): Promise<number> {
  const { status } = await send(target, "/track/signup", { body: { key: target.publishable_key, ...input } });
  return status;
}

/** The referrals that match a filter of `GET /v1/referrals`. */
export async function findReferrals(
  target: Target,
  filter: Record<string, string>,
): Promise<Record<string, unknown>[]> {
  const page = await callApi(target, `/referrals?${new URLSearchParams({ ...filter, limit: "100" })}`);
  return listOf(page.data);
}
