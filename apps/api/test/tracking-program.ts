import { createHmac } from "node:crypto";
import type { Affiliate, CreateAffiliate } from "@findersfee/contract/affiliates/affiliates";
import type { Campaign, CreateCampaign } from "@findersfee/contract/campaigns/campaigns";
import type { Database } from "@findersfee/database/postgres/connect";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { CAMPAIGN } from "./program.ts";
import type { ApiResponse, TestClient, TestService } from "./test-service.ts";

/** A visitor's User-Agent. */
export const BROWSER =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

let visitors = 0;

/** Headers of a new visitor: a repeated click counts once per hour. */
export function newVisitor(): { "user-agent": string } {
  visitors += 1;
  return { "user-agent": BROWSER.replace("142.0.0", `142.0.${visitors}`) };
}

/**
 * Waits for the next hour if this one is about to end: visitors count once per hour, refused requests are one event per hour, and
 * quotas and hashes are those of a day in UTC.
 */
export async function awayFromTheHour(): Promise<void> {
  const left = 3_600_000 - (Date.now() % 3_600_000);
  if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left + 100));
}

/** An organization with an affiliate with the link code `jane`. */
export interface TrackedProgram {
  organization: TestClient;
  campaign: Campaign;
  affiliate: Affiliate;
}

export async function createTrackedProgram(
  service: TestService,
  {
    campaign = {},
    affiliate = {},
  }: { campaign?: Partial<CreateCampaign>; affiliate?: Partial<CreateAffiliate> } = {},
): Promise<TrackedProgram> {
  await awayFromTheHour();
  const organization = await service.organization();
  const { trpc } = organization;
  const made = await trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true, ...campaign });
  const jane = { email: "jane@example.com", first_name: "Jane", ref_code: "jane" };
  return {
    organization,
    campaign: made,
    affiliate: await trpc.affiliates.create.mutate({ ...jane, ...affiliate }),
  };
}

/** Posts like a page, as text; an undefined value omits a header. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string | undefined> = {},
): Promise<ApiResponse> {
  const all = { "content-type": "text/plain;charset=UTF-8", "user-agent": BROWSER, ...headers };
  const response = await fetch(url, {
    method: "POST",
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Reports a click on jane's link; returns the response's data. */
export async function click(
  { organization }: Pick<TrackedProgram, "organization">,
  changes: Record<string, unknown> = {},
  headers: Record<string, string | undefined> = {},
): Promise<ApiResponse> {
  const body = { key: organization.publishable_key, code: "jane", ...changes };
  return await post(`${organization.url}/track/click`, body, headers);
}

export async function countedClicks({ organization, affiliate }: TrackedProgram): Promise<number> {
  return (await organization.trpc.affiliates.get.query({ id: affiliate.id })).clicks;
}

export async function storedClicks(
  database: Database,
  { organization }: Pick<TrackedProgram, "organization">,
): Promise<ClickRow[]> {
  return await database<ClickRow[]>`
    select *, encode(visitor_hash, 'hex') as visitor_hash from clicks where organization_id = ${organization.organization_id} order by id`;
}

/** The signature of a sign-up, as documented for backends. */
export function signatureOf({
  secret,
  click_id,
  email,
  expires_in = 3_600,
}: {
  secret: string;
  click_id: string;
  email: string;
  expires_in?: number;
}): string {
  const expires = Math.floor(Date.now() / 1000) + expires_in;
  const hmac = createHmac("sha256", secret).update(`${expires}.${click_id}.${email}`);
  return `${expires}.${hmac.digest("hex")}`;
}
