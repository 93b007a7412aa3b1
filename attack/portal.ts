import type { Target } from "./attack.ts";
import { Browser, dataOf } from "./browser.ts";
import { awaitCode } from "./mails.ts";
import type { Member } from "./members.ts";
import { createAffiliates, unique } from "./program.ts";
import { type AttackResponse, callApi, fieldsOf, textOf } from "./request.ts";

/** A campaign of the attacked organization that anybody can join. */
export interface OpenProgram {
  slug: string;
  campaign_id: string;
}

/** Creates a campaign that anybody can join. The address of a frame shows the organization's name in addresses. */
export async function openProgram(target: Target): Promise<OpenProgram> {
  const [affiliate] = await createAffiliates(target, 1);
  if (affiliate === undefined) throw new Error("the affiliate was not created");
  const { url } = await makePortalToken(target, affiliate.id);
  const slug = new URL(url).pathname.split("/").at(-1) ?? "";
  return { slug, campaign_id: affiliate.campaign_id };
}

/** A token that opens an affiliate's portal in a frame. */
export async function makePortalToken(
  target: Target,
  affiliate_id: string,
): Promise<{ token: string; url: string }> {
  const { data } = await callApi(target, "/portal_tokens", { body: { affiliate_id } });
  const { token, url } = fieldsOf(data);
  return { token: textOf(token), url: textOf(url) };
}

/** Sends the form for joining a program. The code in the mail completes it. */
export async function sendApplication(
  browser: Browser,
  program: OpenProgram,
  email: string,
): Promise<AttackResponse> {
  return await browser.post("/portal/auth/join", { ...program, email, first_name: "Jane", language: "en" });
}

/** An affiliate who is signed in to the portal. */
export interface SignedInAffiliate {
  id: string;
  email: string;
  browser: Browser;
}

/** Joins a program as a person does: by the form and the mailed code. Throws `Missing` without the log, which has the code. */
export async function joinProgram(target: Target, program: OpenProgram): Promise<SignedInAffiliate> {
  const email = `${unique("jane")}@example.com`;
  const browser = new Browser(target);
  dataOf(await sendApplication(browser, program, email));
  const code = await awaitCode(target, email);
  const { joined } = dataOf(await browser.post("/portal/auth/sign-in", { code }));
  return { id: textOf(fieldsOf(joined).affiliate_id), email, browser };
}

/** Changes something as an affiliate in the portal. */
export async function changeInPortal(
  { id, browser }: Pick<SignedInAffiliate, "id" | "browser">,
  operation: string,
  input: object,
): Promise<AttackResponse> {
  return await browser.post(`/portal/trpc/${operation}`, input, { "findersfee-affiliate": id });
}

/** Reads as an affiliate in the portal. */
export async function readInPortal(
  { id, browser }: Pick<SignedInAffiliate, "id" | "browser">,
  operation: string,
): Promise<Record<string, unknown>> {
  return dataOf(await browser.query(`/portal/trpc/${operation}`, undefined, { "findersfee-affiliate": id }));
}

/** Adds a person as an affiliate of another organization. Returns the affiliate's id. */
export async function addToRival(rival: Member, email: string): Promise<string> {
  const campaign = await rival.change("campaigns.create", {
    name: unique("Rival"),
    commission_type: "percentage",
    commission_amount: 30,
    website_url: "https://example.com",
  });
  const campaign_id = textOf(dataOf(campaign).id);
  const created = await rival.change("affiliates.create", { campaign_id, email, approved: true });
  return textOf(dataOf(created).id);
}
