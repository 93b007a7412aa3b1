import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portal_router } from "../../src/portal/router.ts";
import { CAMPAIGN, storedRows } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { openFrame, openPortal, openView } from "./affiliate-browser.ts";

type Right = "session" | "address" | "program" | "own program" | "active" | "own active";

/**
 * Who may call which procedure: every session; or only with an affiliate of it (`program`), which may have to
 * be active. `address` and `own`: not in a frame of the organization's product. Staff who view a portal see
 * it as the affiliate does, except for data of the address, and change nothing.
 */
const PROCEDURES: Record<string, Right> = {
  "me.get": "session",
  "sessions.list": "address",
  "sessions.end": "address",
  "sessions.end_others": "address",
  "program.get": "program",
  "application.get": "program",
  "application.update": "program",
  "claims.create": "active",
  "claims.list": "active",
  "closed.get": "program",
  "home.get": "active",
  "home.pulse": "active",
  "invitations.accept": "address",
  "invitations.disown": "address",
  "earnings.list": "active",
  "earnings.get": "active",
  "referrals.list": "active",
  "performance.get": "active",
  "performance.series": "active",
  "sub_ids.list": "active",
  "recruits.get": "active",
  "tiers.get": "active",
  "payouts.list": "program",
  "payouts.get": "program",
  "payouts.lines": "program",
  "settings.get": "own active",
  "settings.update": "own active",
  "settings.request_payout_email": "own active",
  "settings.confirm_payout_email": "own active",
  "settings.clear_payout_email": "own active",
  "settings.set_language": "address",
  "leaving.get": "own program",
  "leaving.leave": "own program",
  "leaving.erase": "own program",
};

const SENDERS = [
  "nobody",
  "owner",
  "API key",
  "affiliate",
  "affiliate of others",
  "affiliate of another organization",
  "waiting affiliate",
  "declined affiliate",
  "banned affiliate",
  "affiliate who left",
  "frame",
  "frame of others",
  "frame with the session in a cookie",
  "affiliate with the session in the header",
  "staff who view the portal",
  "staff who view another one",
  "staff who view the portal of a waiting affiliate",
  "staff with the session in a cookie",
] as const;
type Sender = (typeof SENDERS)[number];

let service: TestService;
let senders: Record<Sender, Record<string, string>>;

beforeAll(async () => {
  service = await startTestService();
  const { organization_id, trpc, api_key } = await service.organization();
  await trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  const jane = await trpc.affiliates.create.mutate({ email: "jane@example.com" });
  const joe = await trpc.affiliates.create.mutate({ email: "joe@example.com" });
  const other = await service.organization();
  await other.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  const ann = await other.trpc.affiliates.create.mutate({ email: "ann@example.com" });
  /** Jane in another campaign. */
  const again = async (name: string) => {
    const campaign = await trpc.campaigns.create.mutate({ ...CAMPAIGN, name });
    const { email } = jane;
    return await trpc.affiliates.create.mutate({ email, campaign_id: campaign.id, approved: false });
  };
  const [waiting, declined] = [await again("Waits"), await again("Declined")];
  const [banned, left] = [await again("Banned"), await again("Left")];
  await service.database`update affiliates set declined_at = now() where id = ${declined.id}`;
  await trpc.affiliates.update.mutate({ id: banned.id, banned: true });
  await service.database`update affiliates set banned = true, left_at = now() where id = ${left.id}`;
  const staff = await service.staff(organization_id);
  const owner = staff.headers;
  const viewed = await openView(service, staff.trpc, jane.id);
  const waiting_viewed = await openView(service, staff.trpc, waiting.id);
  const view = (session: string) => ({ "findersfee-portal-session": session, origin: service.origin });
  const session = (await openPortal(service, jane.email)).cookies.get("findersfee_portal");
  const affiliate = { cookie: `findersfee_portal=${session}`, origin: service.origin };
  const embedded = await openFrame(service, trpc, jane.id);
  const frame = { "findersfee-portal-session": embedded, origin: service.origin };
  senders = {
    nobody: { "findersfee-affiliate": jane.id },
    owner: { ...owner, "findersfee-affiliate": jane.id },
    "API key": { authorization: `Bearer ${api_key}`, "findersfee-affiliate": jane.id },
    affiliate: { ...affiliate, "findersfee-affiliate": jane.id },
    "affiliate of others": { ...affiliate, "findersfee-affiliate": joe.id },
    "affiliate of another organization": { ...affiliate, "findersfee-affiliate": ann.id },
    "waiting affiliate": { ...affiliate, "findersfee-affiliate": waiting.id },
    "declined affiliate": { ...affiliate, "findersfee-affiliate": declined.id },
    "banned affiliate": { ...affiliate, "findersfee-affiliate": banned.id },
    "affiliate who left": { ...affiliate, "findersfee-affiliate": left.id },
    frame: { ...frame, "findersfee-affiliate": jane.id },
    "frame of others": { ...frame, "findersfee-affiliate": waiting.id },
    "frame with the session in a cookie": {
      ...affiliate,
      cookie: `findersfee_portal=${embedded}`,
      "findersfee-affiliate": jane.id,
    },
    "affiliate with the session in the header": {
      ...frame,
      "findersfee-portal-session": String(session),
      "findersfee-affiliate": jane.id,
    },
    "staff who view the portal": { ...view(viewed), "findersfee-affiliate": jane.id },
    "staff who view another one": { ...view(viewed), "findersfee-affiliate": waiting.id },
    "staff who view the portal of a waiting affiliate": {
      ...view(waiting_viewed),
      "findersfee-affiliate": waiting.id,
    },
    "staff with the session in a cookie": {
      ...affiliate,
      cookie: `findersfee_portal=${viewed}`,
      "findersfee-affiliate": jane.id,
    },
  };
});
afterAll(() => service.close());

const procedures = Object.entries(
  portal_router._def.procedures as unknown as Record<string, { _def: { type: string } }>,
).map(([name, { _def }]) => ({ name, type: _def.type }));

/** The answer to the frame of the same person in another program, unless it is `not_an_affiliate`. */
const OTHER_FRAMES: Partial<Record<Right, string | null>> = { session: null, address: "embedded_session" };

/** An input that every procedure rejects, once the sender may call it: nothing happens. */
const INVALID = JSON.stringify({ nonsense: true });

/** The code of a rejection; null if the sender may call the procedure. */
async function rejectionOf(
  { name, type }: { name: string; type: string },
  sender: Sender,
): Promise<string | null> {
  const is_query = type === "query";
  const query = is_query ? `?input=${encodeURIComponent(INVALID)}` : "";
  const response = await fetch(`${service.url}/portal/trpc/${name}${query}`, {
    method: is_query ? "GET" : "POST",
    headers: { "content-type": "application/json", ...senders[sender] },
    ...(is_query ? {} : { body: INVALID }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: checked below
  const { error }: any = await response.json();
  const code = error?.data.code ?? null;
  if (code === null || code === "invalid_request") return null;
  return code;
}

describe("a procedure of the portal", () => {
  it.each(procedures)("$name answers the affiliate alone", async (procedure) => {
    const right = PROCEDURES[procedure.name];
    if (right === undefined) throw new Error(`declare above who may call ${procedure.name}`);
    const before = await storedRows(service.database);
    const rejections: Record<string, string | null> = {};
    for (const sender of SENDERS) rejections[sender] = await rejectionOf(procedure, sender);
    const unviewed = procedure.type !== "query" || right === "address" ? "staff_view" : null;
    const unowned = right === "session" || right === "address" ? null : "not_an_affiliate";
    const inactive = right.endsWith("active") ? "affiliate_not_active" : null;
    expect(rejections).toEqual({
      nobody: "unauthorized",
      owner: "unauthorized",
      "API key": "unauthorized",
      affiliate: null,
      "affiliate of others": unowned,
      "affiliate of another organization": unowned,
      "waiting affiliate": inactive,
      "declined affiliate": inactive,
      "banned affiliate": inactive,
      "affiliate who left": inactive,
      frame: right === "address" || right.startsWith("own ") ? "embedded_session" : null,
      "frame of others": right in OTHER_FRAMES ? OTHER_FRAMES[right] : "not_an_affiliate",
      "frame with the session in a cookie": "session_expired",
      "affiliate with the session in the header": "session_expired",
      "staff who view the portal": unviewed,
      "staff who view another one": unviewed ?? (right === "session" ? null : "not_an_affiliate"),
      "staff who view the portal of a waiting affiliate": unviewed ?? inactive,
      "staff with the session in a cookie": "session_expired",
    });
    expect(await storedRows(service.database)).toEqual(before);
  });

  it.each(procedures)("$name has no place on the other surfaces", async ({ name }) => {
    for (const headers of [senders.affiliate, senders.frame]) {
      for (const path of ["/trpc", "/account/trpc", "/v1/trpc"]) {
        const response = await fetch(`${service.url}${path}/${name}`, { headers });
        expect([401, 403, 404]).toContain(response.status);
      }
    }
  });
});

/** `GET` requests for files name the affiliate in the path. */
it.each(["data.json", "commissions.csv"])("the file %s is for the affiliate alone", async (name) => {
  const before = await storedRows(service.database);
  const rejections: Record<string, string | null> = {};
  for (const sender of SENDERS) {
    const { "findersfee-affiliate": id, ...headers } = senders[sender];
    const response = await fetch(`${service.url}/portal/files/${id}/${name}`, { headers });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: compared below
    rejections[sender] = response.ok ? null : (JSON.parse(text) as any).error.code;
  }
  expect(rejections).toEqual({
    nobody: "unauthorized",
    owner: "unauthorized",
    "API key": "unauthorized",
    affiliate: null,
    "affiliate of others": "not_an_affiliate",
    "affiliate of another organization": "not_an_affiliate",
    // Everybody reads their own data.
    "waiting affiliate": null,
    "declined affiliate": null,
    "banned affiliate": null,
    "affiliate who left": null,
    frame: "embedded_session",
    "frame of others": "embedded_session",
    "frame with the session in a cookie": "session_expired",
    "affiliate with the session in the header": "session_expired",
    "staff who view the portal": "staff_view",
    "staff who view another one": "staff_view",
    "staff who view the portal of a waiting affiliate": "staff_view",
    "staff with the session in a cookie": "session_expired",
  });
  expect(await storedRows(service.database)).toEqual(before);
});
