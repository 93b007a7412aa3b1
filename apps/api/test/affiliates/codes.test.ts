import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, errorOf, type Input, refusedFields } from "../operations.ts";
import { CAMPAIGN, createProgram, type Program } from "../program.ts";
import { sharedTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;
/** A campaign with links and promo codes. */
let both_id: string;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createProgram(service);
  organization = program.organization;
  const both = { ...CAMPAIGN, code_mode: "both", reference_coupon: "coupon_20" } as const;
  both_id = (await organization.trpc.campaigns.create.mutate(both)).id;
});

async function create(input: Input): Promise<Affiliate> {
  const { body } = await organization.rest("POST", "/affiliates", { campaign_id: both_id, ...input });
  expect(body.error).toBeUndefined();
  return body.data;
}

function codesOf({ links, promo_codes }: Affiliate): [string | undefined, string | undefined] {
  return [links[0]?.code, promo_codes[0]?.code];
}

describe("codes from names", () => {
  it.each([
    ["Ada", "Lovelace", "ada-lovelace", "ADALOVELACE"],
    ["Ada", "", "ada", "ADA"],
    [
      "  J\u00fcrgen ",
      "M\u00fcller-L\u00fcdenscheidt",
      "jurgen-muller-ludenscheidt",
      "JURGENMULLERLUDENSCHEIDT",
    ],
    ["\u0141ukasz", "\u017b\u00f3\u0142w-Stra\u00dfe", "lukasz-zolw-strasse", "LUKASZZOLWSTRASSE"],
    ["O'Neill", "Jr.", "o-neill-jr", "ONEILLJR"],
    ["\u674e", "\u5c0f\u9f99", "odd-name", "ODDNAME"],
    ["\u{1f600}", "Smith", "smith", "SMITH"],
    ["", "", "odd-name", "ODDNAME"],
    ["../..", "%00", "00", "00"],
    ["x".repeat(100), "y", "x".repeat(40), "X".repeat(40)],
    ["x".repeat(39), "yz", "x".repeat(39), `${"X".repeat(39)}Y`],
  ])("turns %j %j into %s and %s", async (first_name, last_name, link, promo) => {
    const affiliate = await create({ email: "odd.name@example.com", first_name, last_name });
    expect(codesOf(affiliate)).toEqual([link, promo]);
  });

  it("extends a name too short for a code", async () => {
    const [link, promo] = codesOf(await create({ email: "x@example.com", first_name: "Q" }));
    expect(link).toMatch(/^q[a-z2-9]{4}$/);
    expect(promo).toMatch(/^Q[A-Z2-9]{4}$/);
    const [from_sign] = codesOf(await create({ email: "_@example.com" }));
    expect(from_sign).toMatch(/^[a-z2-9]{4}$/);
  });

  it("extends a name when another affiliate has its code", async () => {
    await create({ email: "a@example.com", first_name: "Sam" });
    const [link, promo] = codesOf(await create({ email: "b@example.com", first_name: "Sam" }));
    expect(link).toMatch(/^sam-[a-z2-9]{4}$/);
    expect(promo).toMatch(/^SAM[A-Z2-9]{4}$/);
  });
});

describe("explicit codes", () => {
  it("are unique in the organization, case-insensitively, also against generated ones", async () => {
    await create({ email: "a@example.com", ref_code: "Sam", promo_code: "SAM20" });
    const taken = {
      code: "code_taken",
      message: "Another affiliate of the organization has this code.",
    };
    for (const codes of [
      { ref_code: "sAM" },
      { promo_code: "sam20" },
      { ref_code: "new", promo_code: "Sam20" },
    ]) {
      const input = { email: "b@example.com", campaign_id: both_id, ...codes };
      expect(await errorOf(organization, "affiliates.create", input)).toEqual(taken);
    }
    const { id } = await create({ email: "c@example.com" });
    expect(await errorOf(organization, "affiliates.update", { id, ref_code: "SAM" })).toEqual(taken);
    expect(await errorOf(organization, "affiliates.update", { id, promo_code: "sam20" })).toEqual(taken);
    expect((await organization.trpc.affiliates.list.query({ email: "b@example.com" })).data).toEqual([]);
  });

  it("may exist in another organization", async () => {
    await create({ email: "a@example.com", ref_code: "Sam" });
    const other = await createProgram(service);
    const affiliate = await other.organization.trpc.affiliates.create.mutate({
      email: "a@example.com",
      ref_code: "sam",
    });
    expect(affiliate.links[0]?.code).toBe("sam");
  });

  it("can change, which frees the previous promo code", async () => {
    const { id } = await create({ email: "a@example.com", ref_code: "Sam", promo_code: "SAM20" });
    const input = { id, ref_code: "sam", promo_code: "SAM30" };
    expect(codesOf(await answerOf(organization, "affiliates.update", input))).toEqual(["sam", "SAM30"]);
    expect(codesOf(await create({ email: "b@example.com", ref_code: "other", promo_code: "sam20" }))).toEqual(
      ["other", "sam20"],
    );
  });

  it("stay the affiliate's when it uses another link code, and can return", async () => {
    const { id } = await create({ email: "a@example.com", ref_code: "sam" });
    const rename = (ref_code: string) => answerOf(organization, "affiliates.update", { id, ref_code });
    for (const code of ["samuel", "sammy"]) expect((await rename(code)).links).toMatchObject([{ code }]);
    for (const ref_code of ["SAM", "Samuel", "sammy"]) {
      const input = { email: "b@example.com", campaign_id: both_id, ref_code };
      expect(await errorOf(organization, "affiliates.create", input)).toMatchObject({ code: "code_taken" });
      const change = { id: program.affiliate.id, ref_code };
      expect(await errorOf(organization, "affiliates.update", change)).toMatchObject({ code: "code_taken" });
      expect(await organization.trpc.affiliates.list.query({ ref_code })).toMatchObject({ data: [{ id }] });
    }
    const staff = await service.staff(organization.organization_id);
    const detail = await staff.trpc.dashboard.affiliates.get.query({ id });
    expect(detail.former_link_codes).toEqual(["samuel", "sam"]);
    const check = staff.trpc.dashboard.affiliates.checkCode;
    const sam = { kind: "link", code: "SAM" } as const;
    expect(await check.query(sam)).toMatchObject({ is_free: false, affiliate: { id } });
    expect(await check.query({ ...sam, affiliate_id: id })).toEqual({ is_free: true, affiliate: null });
    expect(codesOf(await create({ email: "c@example.com", first_name: "Sam" }))[0]).toMatch(/^sam-/);
    expect((await rename("Sam")).links).toMatchObject([{ code: "Sam" }]);
    expect((await rename("Sam")).links).toMatchObject([{ code: "Sam" }]);
    const taken = await errorOf(organization, "affiliates.update", {
      id: program.affiliate.id,
      ref_code: "sammy",
    });
    expect(taken).toMatchObject({ code: "code_taken" });
  });

  it("are rejected as promo codes in a campaign without them", async () => {
    const issue = {
      path: "promo_code",
      message: "The campaign has no promo codes, only links.",
    };
    const input = { email: "a@example.com", promo_code: "SAM20" };
    expect(await errorOf(organization, "affiliates.create", input)).toMatchObject({ issues: [issue] });
    const change = { id: program.affiliate.id, promo_code: "SAM20", first_name: "Changed" };
    expect(await errorOf(organization, "affiliates.update", change)).toMatchObject({ issues: [issue] });
    expect(await answerOf(organization, "affiliates.get", { id: program.affiliate.id })).toEqual(
      program.affiliate,
    );
  });
});

describe("a campaign's code_mode", () => {
  it("determines the visible codes, and keeps hidden ones", async () => {
    const { id } = await create({ email: "a@example.com", ref_code: "Sam", promo_code: "SAM20" });
    const shown = async (code_mode: "link" | "coupon" | "both") => {
      await organization.trpc.campaigns.update.mutate({ id: both_id, code_mode });
      return codesOf(await answerOf(organization, "affiliates.get", { id }));
    };
    expect(await shown("link")).toEqual(["Sam", undefined]);
    expect(await shown("coupon")).toEqual([undefined, "SAM20"]);
    expect(await shown("both")).toEqual(["Sam", "SAM20"]);
  });

  it("lets an earlier affiliate get an explicit promo code", async () => {
    const { affiliate, campaign } = program;
    await organization.trpc.campaigns.update.mutate({
      id: campaign.id,
      code_mode: "coupon",
      reference_coupon: "coupon_20",
    });
    const input = { id: affiliate.id, promo_code: "JANE20" };
    expect(await answerOf(organization, "affiliates.update", input)).toMatchObject({
      links: [],
      promo_codes: [{ code: "JANE20", external_id: null }],
    });
  });

  it("creates links for affiliates that joined with coupons", async () => {
    await organization.trpc.campaigns.update.mutate({ id: both_id, code_mode: "coupon", website_url: null });
    const affiliate = await create({ email: "a@example.com", first_name: "Sam", ref_code: "sammy" });
    expect(codesOf(affiliate)).toEqual([undefined, "SAM"]);
    const change = { id: both_id, code_mode: "link", website_url: "https://example.com" } as const;
    await organization.trpc.campaigns.update.mutate(change);
    expect(codesOf(await answerOf(organization, "affiliates.get", { id: affiliate.id }))).toEqual([
      "sammy",
      undefined,
    ]);
  });
});

it.each([
  ["https://example.com", "https://example.com/?via=jane-doe"],
  ["https://example.com/a%20b?x=1%202&flag", "https://example.com/a%20b?x=1%202&flag&via=jane-doe"],
  ["https://example.com/?via=somebody&x=1#top", "https://example.com/?x=1&via=jane-doe#top"],
  ["http://localhost:3000/?via", "http://localhost:3000/?via=jane-doe"],
  ["https://b\u00fccher.example/", "https://xn--bcher-kva.example/?via=jane-doe"],
])("links to %s with the code in its query", async (website_url, url) => {
  const input = { id: program.campaign.id, website_url };
  expect(await answerOf(organization, "campaigns.update", input)).toMatchObject({ website_url });
  const { links } = await answerOf(organization, "affiliates.get", { id: program.affiliate.id });
  expect(links).toEqual([{ url, code: "jane-doe" }]);
});

it("rejects codes that a link or a checkout cannot carry", async () => {
  const input = { email: "a@example.com", campaign_id: both_id, ref_code: "a/b", promo_code: "\u00e4\u00f6" };
  expect(await refusedFields(organization, "affiliates.create", input)).toEqual(["ref_code", "promo_code"]);
});
