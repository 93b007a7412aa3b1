/* Recruits: people who join by an affiliate's link, and the affiliate's view of them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../browser.ts";
import { CAMPAIGN } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { mailedTo, portalOf } from "./affiliate-browser.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

type Organization = Awaited<ReturnType<TestService["organization"]>>;

interface Program {
  slug: string;
  campaign_id: string;
  trpc: Organization["trpc"];
}

async function newProgram(changes: object = {}): Promise<Program> {
  const { organization_id, trpc } = await service.organization();
  const recruiting = { percent: 10, months: 12 };
  const { id } = await trpc.campaigns.create.mutate({
    ...CAMPAIGN,
    is_default: true,
    recruiting,
    ...changes,
  });
  const [row] = await service.database<[{ slug: string }]>`
    select slug from organizations where id = ${organization_id}`;
  return { slug: row.slug, campaign_id: id, trpc };
}

/** Joins the program by the form; returns the portal of the new affiliate. */
async function join({ slug, campaign_id }: Program, email: string, changes: object = {}) {
  const browser = openBrowser(service);
  const form = { slug, campaign_id, email, first_name: "Joe", last_name: "Roe", language: "en", ...changes };
  expect((await browser.post("/portal/auth/join", form)).status).toBe(200);
  const { code } = await mailedTo(service, email);
  const { body } = await browser.post("/portal/auth/sign-in", { code });
  const affiliate_id: string = body.data.joined.affiliate_id;
  return { affiliate_id, portal: portalOf(service, browser, affiliate_id) };
}

async function recruiterOf(affiliate_id: string): Promise<string | null> {
  const [row] = await service.database<[{ recruited_by: string | null }]>`
    select recruited_by from affiliates where id = ${affiliate_id}`;
  return row.recruited_by;
}

/** The code in the affiliate's link for recruits. */
async function refOf({ portal }: Awaited<ReturnType<typeof join>>): Promise<string> {
  const { join_path } = await portal.recruits.get.query();
  return new URL(join_path ?? "", "http://portal.test").searchParams.get("ref") ?? "";
}

it("gives whoever joins by the link to the affiliate, who sees initials and no address", async () => {
  const program = await newProgram();
  const jane = await join(program, "recruiter@example.com", { first_name: "Jane", last_name: "Doe" });
  const ref = await refOf(jane);
  expect(ref).not.toBe("");
  const joe = await join(program, "recruit@example.com", { ref: ref.toUpperCase() });
  expect(await recruiterOf(joe.affiliate_id)).toBe(jane.affiliate_id);
  const seen = await jane.portal.recruits.get.query();
  expect(seen).toMatchObject({
    terms: { percent: 10, months: 12 },
    recruits: [{ name: "J. R.", percent: 10 }],
  });
  expect(JSON.stringify(seen)).not.toMatch(/recruit@|Roe/);
  // The recruit does not learn who recruited it.
  const own = await joe.portal.recruits.get.query();
  expect(own.recruits).toEqual([]);
  expect(JSON.stringify(own)).not.toContain(jane.affiliate_id);
});

it("lets people join as anybody else by a link that recruits nobody", async () => {
  const program = await newProgram();
  const other = await newProgram();
  const without = await newProgram({ recruiting: null });
  const elsewhere = await refOf(
    await join(other, "elsewhere@example.com", { first_name: "Ada", last_name: "Elsewhere" }),
  );
  const unknown = await join(program, "unknown@example.com", { ref: "nobody" });
  const foreign = await join(program, "foreign@example.com", { ref: elsewhere });
  expect(await recruiterOf(unknown.affiliate_id)).toBeNull();
  expect(await recruiterOf(foreign.affiliate_id)).toBeNull();
  const first = await join(without, "first@example.com");
  expect(await first.portal.recruits.get.query()).toMatchObject({ terms: null, join_path: null });
  const banned = await join(program, "banned@example.com");
  const ref = await refOf(banned);
  await program.trpc.affiliates.update.mutate({ id: banned.affiliate_id, banned: true });
  const late = await join(program, "late@example.com", { ref });
  expect(await recruiterOf(late.affiliate_id)).toBeNull();
});

it("does not let people recruit themselves", async () => {
  const program = await newProgram();
  const jane = await join(program, "self@example.com");
  const again = await join(program, "self@example.com", { ref: await refOf(jane) });
  expect(again.affiliate_id).toBe(jane.affiliate_id);
  expect(await recruiterOf(jane.affiliate_id)).toBeNull();
});
