import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../browser.ts";
import { CAMPAIGN } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { mailedTo, portalOf } from "./affiliate-browser.ts";

let service: TestService;
let limited: TestService;

beforeAll(async () => {
  service = await startTestService();
  limited = await startTestService({ sign_in_limit_per_minute: 1_000 });
});
afterAll(async () => {
  await service.close();
  await limited.close();
});

/** The address of a new campaign. */
async function newProgram(of = service): Promise<{ slug: string; campaign_id: string }> {
  const { organization_id, trpc } = await of.organization();
  const { id } = await trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  const [row] = await of.database<
    [{ slug: string }]
  >`select slug from organizations where id = ${organization_id}`;
  return { slug: row.slug, campaign_id: id };
}

let people = 0;

function join(browser: Browser, program: object, changes: object = {}) {
  people += 1;
  const email = `jane${people}@example.com`;
  return browser.post("/portal/auth/join", {
    ...program,
    email,
    first_name: "Jane",
    language: "en",
    ...changes,
  });
}

describe("joining", () => {
  it("opens a session of the new affiliate by code, in the browser of the form alone", async () => {
    const browser = openBrowser(service);
    const program = await newProgram();
    const sent = await join(browser, program, { email: "JANE@example.com" });
    expect({ status: sent.status, body: sent.body }).toEqual({
      status: 200,
      body: { success: true, data: {} },
    });
    const { code } = await mailedTo(service, "jane@example.com");
    const stranger = openBrowser(service);
    expect((await stranger.post("/portal/auth/sign-in", { code })).body.error.code).toBe("code_invalid");
    const { body } = await browser.post("/portal/auth/sign-in", { code });
    const { programs } = await portalOf(service, browser).me.get.query();
    expect(body.data).toEqual({ joined: { affiliate_id: programs[0]?.affiliate_id, is_new: true } });
    expect(programs).toMatchObject([{ state: "active" }]);
  });

  it("does so by the link in any browser", async () => {
    const program = await newProgram();
    await join(openBrowser(service), program, { email: "linked@example.com" });
    const { link } = await mailedTo(service, "linked@example.com");
    const phone = openBrowser(service);
    const { body } = await phone.post("/portal/auth/sign-in/link", { token: link });
    expect(body.data.joined.is_new).toBe(true);
  });

  it("does nothing if the hidden field has a value, with the same answer", async () => {
    const browser = openBrowser(service);
    const program = await newProgram();
    const filled = { email: "robot@example.com", website: "https://spam.example" };
    const { status, body } = await join(browser, program, filled);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: {} } });
    expect([...browser.cookies.keys()]).toEqual(["findersfee_portal_code"]);
    expect(await service.database`select from portal_codes where email = 'robot@example.com'`).toEqual([]);
    expect((await browser.post("/portal/auth/sign-in", { code: "123456" })).body.error.code).toBe(
      "code_invalid",
    );
  });

  it("refuses pages of other sites, unknown programs, and bad fields", async () => {
    const program = await newProgram();
    const foreign = openBrowser(service, "https://evil.example");
    expect((await join(foreign, program)).body.error.code).toBe("forbidden_origin");
    const browser = openBrowser(service);
    const other = await newProgram();
    const mixed = { slug: program.slug, campaign_id: other.campaign_id };
    expect((await join(browser, mixed)).body.error.code).toBe("not_found");
    const bad = { email: "+1@example.com", first_name: " ", language: "fr", payout_email: "x@example.com" };
    const { body } = await join(browser, program, bad);
    const paths = body.error.issues.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(["email", "first_name", "language"]));
    const large = await join(browser, program, { details: "x".repeat(70_000) });
    expect(large.body.error.code).toBe("payload_too_large");
  });

  it("is limited to 30 applications of a network in an hour, and to 3 a minute of an address", async () => {
    const program = await newProgram(limited);
    const browser = openBrowser(limited);
    const same = { email: "same@example.com" };
    const answers = [];
    for (let attempt = 0; attempt < 4; attempt++) answers.push((await join(browser, program, same)).status);
    expect(answers).toEqual([200, 200, 200, 429]);
    for (let attempt = 4; attempt < 30; attempt++) await join(browser, program, { website: "x" });
    const refused = await join(browser, program, { website: "x" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
  });
});

describe("the code of an application", () => {
  const enter = (browser: Browser, code: string) => browser.post("/portal/auth/sign-in", { code });

  it("is of one application: not of another program, and not of the one before it in the same browser", async () => {
    const browser = openBrowser(service);
    const [one, two] = [await newProgram(), await newProgram()];
    await join(browser, one, { email: "mixed@example.com" });
    const { code: first } = await mailedTo(service, "mixed@example.com");
    await join(browser, two, { email: "mixed@example.com" });
    const { code: second } = await mailedTo(service, "mixed@example.com");
    if (first !== second) expect((await enter(browser, first)).body.error.code).toBe("code_invalid");
    const { body } = await enter(browser, second);
    expect(body.data.joined.is_new).toBe(true);
    const affiliates = await service.database`
      select campaign_id from affiliates where email = 'mixed@example.com'`;
    expect(affiliates).toEqual([{ campaign_id: two.campaign_id }]);
    expect((await enter(browser, second)).body.error.code).toBe("code_invalid");
  });

  it("is guessed five times", async () => {
    const browser = openBrowser(service);
    await join(browser, await newProgram(), { email: "guessed@example.com" });
    const { code } = await mailedTo(service, "guessed@example.com");
    const wrong = code === "000000" ? "000001" : "000000";
    for (let guess = 0; guess < 5; guess++) expect((await enter(browser, wrong)).status).toBe(401);
    expect((await enter(browser, code)).body.error.details).toEqual({ reason: "expired" });
    expect(await service.database`select from affiliates where email = 'guessed@example.com'`).toEqual([]);
  });
});

it("stores markup as text, and refuses names of 10,000 characters", async () => {
  const browser = openBrowser(service);
  const { organization_id, trpc } = await service.organization();
  const markup = "<img src=x onerror=alert(1)>";
  const question = { id: "q", label: markup, type: "textarea" as const, options: [], required: true };
  const { id: campaign_id } = await trpc.campaigns.create.mutate({
    ...CAMPAIGN,
    collect_details: true,
    details_text: markup,
    custom_fields: [question],
  });
  const [{ slug }] = await service.database<[{ slug: string }]>`
    select slug from organizations where id = ${organization_id}`;
  const email = "markup@example.com";
  const answers = { details: markup, custom_fields: [{ id: "q", value: markup }] };
  const long = "x".repeat(10_000);
  const names = { email, first_name: long, last_name: long, ...answers };
  const { status, body } = await join(browser, { slug, campaign_id }, names);
  const paths = body.error.issues.map(({ path }: { path: string }) => path);
  expect([status, paths.sort()]).toEqual([400, ["first_name", "last_name"]]);
  await join(browser, { slug, campaign_id }, { email, ...answers });
  const { code } = await mailedTo(service, email);
  await browser.post("/portal/auth/sign-in", { code });
  const { data } = await trpc.affiliates.list.query({ email });
  expect(data).toMatchObject([{ details: markup, custom_fields: [{ label: markup, value: markup }] }]);
});

it("answers an address that has joined like one that has not, and mails both", async () => {
  const program = await newProgram();
  const known = "known@example.com";
  const first = openBrowser(service);
  await join(first, program, { email: known });
  await first.post("/portal/auth/sign-in", { code: (await mailedTo(service, known)).code });
  const seen = async (email: string) => {
    const browser = openBrowser(service);
    const before = await service.database`select from mails where recipient = ${email}`;
    const { status, body, headers } = await join(browser, program, { email });
    const after = await service.database`select from mails where recipient = ${email}`;
    const names = [...headers.keys()].filter((name) => name !== "x-request-id").sort();
    return { status, body, names, cookies: [...browser.cookies.keys()], mails: after.length - before.length };
  };
  expect(await seen(known)).toEqual(await seen("unknown@example.com"));
});

describe("the public view of programs", () => {
  it("may be cached, also for campaigns; not what nobody has", async () => {
    const { slug, campaign_id } = await newProgram();
    const get = (path: string) => fetch(`${service.url}/portal/auth/programs/${path}`);
    const found = await get(`${slug}/${campaign_id}`);
    expect(found.headers.get("cache-control")).toBe("public, max-age=60");
    expect(await found.json()).toMatchObject({ success: true, data: { campaign: { id: campaign_id } } });
    expect((await get(slug)).status).toBe(404);
    await service.database`update campaigns set joining = 'listed' where id = ${campaign_id}`;
    expect(await (await get(slug)).json()).toMatchObject({ data: { campaigns: [{ id: campaign_id }] } });
    for (const path of ["nobody", `${slug}/1`, `nobody/${campaign_id}`, `${slug}/%00`, "x".repeat(90)]) {
      const missing = await get(path);
      expect(missing.status).toBe(404);
      expect(missing.headers.get("cache-control") ?? "").not.toContain("public");
    }
  });
});
