import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram, type Program } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, sharedTestService, type TestService } from "../test-service.ts";

let service: TestService;
let program: Program;

beforeAll(async () => {
  service = await sharedTestService();
  program = await createProgram(service);
});

afterAll(() => service.close());

function get(path: string): Promise<ApiResponse> {
  return program.organization.rest("GET", path);
}

const NIL = "00000000-0000-0000-0000-000000000000";
const LISTS = ["/campaigns", "/affiliates", "/referrals", "/commissions", "/payouts"];

describe.each(LISTS)("the list %s rejects", (list) => {
  it.each([
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=1.5", "page"],
    ["page=1e1", "page"],
    ["page=0x1", "page"],
    ["page=%201", "page"],
    ["page=+1", "page"],
    ["page=", "page"],
    ["page", "page"],
    ["page=one", "page"],
    ["page=NaN", "page"],
    ["page=Infinity", "page"],
    ["page=1&page=2", "page"],
    ["page[]=1", "page[]"],
    ["page=100001", "page"],
    ["page=9007199254740993", "page"],
    ["page=99999999999999999999999999", "page"],
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=101", "limit"],
    ["limit=1e400", "limit"],
    ["limit=null", "limit"],
    ["limit=true", "limit"],
    ["limit=10,20", "limit"],
    ["limit=%31%00", "limit"],
    ["cursor=x", "cursor"],
    ["cursor=%00", "cursor"],
    ["cursor=%ff", "cursor"],
    [`cursor=${NIL}0`, "cursor"],
    [`cursor=${NIL}%0a`, "cursor"],
    ["cursor=0199D3A1-6A7E-7C44-9A51-3F2B8C6D1E90", "cursor"],
    [`cursor=${NIL}&cursor=${NIL}`, "cursor"],
    [`cursor=${NIL}&page=1`, "cursor"],
    ["Page=1", "Page"],
    ["sort=name", "sort"],
    ["id=1", "id"],
    ["__proto__=1", "__proto__"],
    ["constructor=1", "constructor"],
    ["toString=1", "toString"],
    ["=1", ""],
    ["%00=1", "\0"],
    ["limit%00=1", "limit\0"],
    ["a=1&b=2", "b"],
  ])("?%s", async (query, path) => {
    const error = responseError("rest", await get(`${list}?${query}`));
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.map((issue) => issue.path)).toContain(path);
  });

  it.each([
    "page=1&limit=100",
    "cursor=",
    `cursor=${NIL}`,
    "page=100000",
    "",
    "&",
    "limit=007",
    "&&limit=1&",
  ])("not ?%s", async (query) => {
    expect((await get(`${list}?${query}`)).status).toBe(200);
  });
});

describe("a filter rejects", () => {
  it.each([
    ["/affiliates?campaign_id=x", "campaign_id"],
    ["/affiliates?campaign_id=", "campaign_id"],
    ["/affiliates?email=x", "email"],
    ["/affiliates?email=a%00@example.com", "email"],
    ["/affiliates?ref_code=a%20b", "ref_code"],
    ["/affiliates?promo_code=", "promo_code"],
    ["/affiliates?approved=1", "approved"],
    ["/affiliates?approved=True", "approved"],
    ["/affiliates?banned=", "banned"],
    ["/affiliates?banned=true&banned=false", "banned"],
    ["/referrals?processor_customer_id=%00", "processor_customer_id"],
    ["/referrals?processor_customer_id=", "processor_customer_id"],
    [`/referrals?processor_customer_id=${"x".repeat(256)}`, "processor_customer_id"],
    ["/referrals?subscription_status=active,", "subscription_status"],
    ["/referrals?subscription_status=active%00", "subscription_status"],
    ["/referrals?subscription_status=active%0a", "subscription_status"],
    ["/commissions?payout_status=gone", "payout_status"],
    ["/commissions?created_after=yesterday", "created_after"],
    ["/commissions?created_after=2026-01-01", "created_after"],
    ["/commissions?created_after=2026-02-30T00:00:00Z", "created_after"],
    ["/commissions?created_after=2027-02-29T00:00:00Z", "created_after"],
    ["/commissions?created_after=2026-01-01T00:00:00", "created_after"],
    ["/commissions?created_after=2026-01-01T24:00:00Z", "created_after"],
    ["/commissions?created_after=2026-12-31T23:59:60Z", "created_after"],
    ["/commissions?created_after=2026-01-01T00:00:00%2b24:00", "created_after"],
    ["/commissions?created_after=0000-01-01T00:00:00Z", "created_after"],
    ["/commissions?created_after=1969-12-31T23:59:59Z", "created_after"],
    ["/commissions?created_after=9999-12-31T23:59:59-00:01", "created_after"],
    ["/commissions?created_after=%2b010000-01-01T00:00:00Z", "created_after"],
    ["/commissions?created_before=1700000000", "created_before"],
    ["/payouts?period=2026-13", "period"],
    ["/payouts?period=2026-1", "period"],
    ["/payouts?status=Paid", "status"],
    ["/events?after=x", "after"],
    ["/events?types=all", "types"],
    ["/events?types=commission.created,", "types"],
    ["/events?page=1", "page"],
    ["/events?cursor=x", "cursor"],
    [`/events?after=${NIL}&cursor=`, "cursor"],
    ["/events?types=commission.created&types=all", "types"],
    ["/events?types=commission.created,affiliate.created&types=referral.created", "types"],
    ["/events?types=", "types"],
    [`/events?types=${"commission.created,".repeat(20)}commission.created`, "types"],
    [`/referrals?subscription_status=${"active,".repeat(20)}active`, "subscription_status"],
  ])("%s", async (path, field) => {
    const error = responseError("rest", await get(path));
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.map((issue) => issue.path)).toEqual([field]);
  });

  it.each([
    "/commissions?created_after=2028-02-29T00:00:00.123456789Z",
    "/commissions?created_after=2026-01-01T00:00:00%2b14:00&created_before=9999-12-31T23:59:59.999Z",
    "/commissions?created_after=1970-01-01T00:00:00Z",
    "/affiliates?approved=false&banned=true",
    "/affiliates?email=JANE%40EXAMPLE.COM",
    "/referrals?subscription_status=active,active",
    "/referrals?subscription_status=active&subscription_status=trialing",
    "/events?cursor=",
    "/events?types=commission.created&types=affiliate.created",
    "/payouts?period=0000-01",
  ])("not %s", async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  it("an unknown id only with not_found", async () => {
    for (const id of [NIL, "ffffffff-ffff-ffff-ffff-ffffffffffff", "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"]) {
      expect(responseError("rest", await get(`/affiliates?campaign_id=${id}`)).code).toBe("not_found");
      expect(responseError("rest", await get(`/affiliates/${id}`)).code).toBe("not_found");
    }
  });
});

describe("a parameter of the path", () => {
  it("accepts a UUID in any case", async () => {
    const { id } = program.affiliate;
    for (const spelling of [id, id.toUpperCase(), `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`]) {
      expect((await get(`/affiliates/${spelling}`)).body.data).toMatchObject({ id });
    }
  });

  it.each([
    "x",
    "1",
    "%00",
    "%20",
    "%F0%9F%98%80",
    "{id}",
    ":id",
    "__proto__",
    `${NIL}%00`,
    `{${NIL}}`,
    "x".repeat(8_000),
  ])("rejects %s", async (id) => {
    const error = responseError("rest", await get(`/affiliates/${id}`));
    expect(error.issues).toEqual([{ path: "id", message: "Must be a UUID." }]);
  });

  it("is not a query parameter", async () => {
    const { id } = program.affiliate;
    const error = responseError("rest", await get(`/affiliates/${id}?id=${id}`));
    expect(error.issues).toEqual([{ path: "id", message: "Unknown query parameter." }]);
  });

  it("must equal the path's in a body, and hides no other issue", async () => {
    const { id } = program.affiliate;
    const { rest } = program.organization;
    const body = { email: "no email", colour: "green", approved: "yes", id: program.campaign.id };
    const error = responseError("rest", await rest("PUT", `/affiliates/${id}`, body));
    expect(error.issues).toEqual([
      { path: "id", message: "Read-only: it must equal the id in the path." },
      { path: "email", message: "Must be an email address: it has no @." },
      { path: "approved", message: "Must be a boolean (true or false), not a string." },
      { path: "colour", message: "Unknown field." },
    ]);
    for (const same of [id, id.toUpperCase()]) {
      expect((await rest("PUT", `/affiliates/${id}`, { id: same })).status).toBe(200);
    }
    for (const other of [null, 1, "", [id]]) {
      const { issues } = responseError("rest", await rest("PUT", `/affiliates/${id}`, { id: other }));
      expect(issues).toEqual([{ path: "id", message: "Read-only: it must equal the id in the path." }]);
    }
  });

  it("allows no query in addition to a body", async () => {
    const { rest } = program.organization;
    const query = "?dry_run=true&__proto__=1&page=1";
    for (const answer of [
      await rest("PUT", `/affiliates/${program.affiliate.id}${query}`, {}),
      await rest("POST", `/affiliates${query}`, { email: "new@example.com" }),
    ]) {
      const paths = responseError("rest", answer).issues?.map(({ path }) => path);
      expect(paths).toEqual(["dry_run", "__proto__", "page"]);
    }
    const wrong = await rest("POST", "/affiliates?dry_run=true", { colour: "green" });
    expect(responseError("rest", wrong).issues?.map(({ path }) => path)).toEqual([
      "dry_run",
      "email",
      "colour",
    ]);
  });

  it("is reported as an unknown query parameter along with other issues", async () => {
    const error = responseError("rest", await get("/affiliates?colour=green&limit=0&id=1&banned=maybe"));
    expect(error.issues).toEqual([
      { path: "colour", message: "Unknown query parameter." },
      { path: "id", message: "Unknown query parameter." },
      { path: "limit", message: "Must be a whole number from 1 to 100." },
      { path: "banned", message: "Must be a boolean (true or false), not a string." },
    ]);
  });
});
