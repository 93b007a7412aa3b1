import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { surfaces } from "../operations.ts";
import { CAMPAIGN, storedRows } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, startTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;
let stored: Record<string, string[]>;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
});

afterAll(() => service.close());

type Surface = (typeof surfaces)[number];

const CAMPAIGNS = { rest: "/v1/campaigns", trpc: "/v1/trpc/campaigns.create" };

async function post(
  surface: Surface,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<ApiResponse> {
  const response = await fetch(service.url + CAMPAIGNS[surface], {
    method: "POST",
    headers: { authorization: `Bearer ${organization.api_key}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function refuse(surface: Surface, body: string | Uint8Array, headers?: Record<string, string>) {
  return responseError(surface, await post(surface, body, headers));
}

/** A campaign's JSON with one member added or replaced. */
function campaignWith(member: string): string {
  return `${JSON.stringify(CAMPAIGN).slice(0, -1)},${member}}`;
}

function campaignWhere(values: Record<string, unknown>): string {
  return JSON.stringify({ ...CAMPAIGN, ...values });
}

/** A campaign's JSON with this literal text as the amount. */
function campaignOf(amount: string): string {
  return JSON.stringify(CAMPAIGN).replace('"commission_amount":30', `"commission_amount":${amount}`);
}

const bytes = (...values: number[]) => Buffer.from(values);

describe.each(surfaces)("an invalid body over %s changes nothing", (surface) => {
  beforeEach(async () => {
    stored = await storedRows(service.database);
  });

  afterEach(async () => {
    expect(await storedRows(service.database)).toEqual(stored);
  });

  it.each([
    ["cut off", '{"name":'],
    ["trailing garbage", `${campaignWhere({})}x`],
    ["two values", `${campaignWhere({})}{}`],
    ["single quotes", "{'name':'x'}"],
    ["trailing comma", '{"name":"x",}'],
    ["comment", '{"name":"x"/* y */}'],
    ["NaN", campaignOf("NaN")],
    ["Infinity", campaignOf("Infinity")],
    ["hexadecimal", campaignOf("0x1e")],
    ["leading zero", campaignOf("030")],
    ["plus sign", campaignOf("+30")],
    ["only a minus", campaignOf("-")],
    ["raw control character", campaignWhere({}).replace("Partner", "Part\u0001ner")],
    ["raw NUL", campaignWhere({}).replace("Partner", "Part\u0000ner")],
    ["unknown escape", campaignWhere({}).replace("Partner", "Part\\xner")],
    ["only white space", "  \n "],
    ["form", "name=x&commission_amount=30"],
    ["UTF-16", Buffer.from(campaignWhere({}), "utf16le")],
    ["invalid UTF-8", Buffer.concat([Buffer.from('{"name":"'), bytes(0xff, 0xfe), Buffer.from('"}')])],
    ["overlong UTF-8", Buffer.concat([Buffer.from('{"name":"'), bytes(0xc0, 0x80), Buffer.from('"}')])],
    ["raw surrogate", Buffer.concat([Buffer.from('{"name":"'), bytes(0xed, 0xa0, 0x80), Buffer.from('"}')])],
    ["cut-off UTF-8", Buffer.concat([Buffer.from('{"name":"'), bytes(0xe2, 0x82)])],
    ["33 levels", `${"[".repeat(33)}${"]".repeat(33)}`],
    ["100,000 levels", "[".repeat(100_000)],
    ["100,000 levels of objects", '{"a":'.repeat(40_000)],
    ["huge array", JSON.stringify(Array.from({ length: 100_000 }, () => 0))],
    ["huge array inside", campaignWhere({ custom_fields: Array.from({ length: 100_000 }, () => 0) })],
    ["duplicate key", campaignWith('"name":"other"')],
    ["duplicate key, escaped", campaignWith('"n\\u0061me":"other"')],
    ["duplicate key, deep inside", campaignWith('"first_payment_commission":{"a":[{"b":1,"b":2}]}')],
    ["duplicate unknown key", campaignWith('"x":1,"x":1')],
    ["duplicate __proto__", campaignWith('"__proto__":1,"__proto__":1')],
    ["number with lost digits", campaignOf("30.0000000000000000000001")],
    ["integer with lost digits", campaignOf("100000000000000000001")],
  ])("%s", async (_name, body) => {
    const error = await refuse(surface, body);
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.map(({ path }) => path)).toEqual([""]);
  });

  it.each(["null", "true", "0", '"text"', "[]", "[{}]", `[${campaignWhere({})}]`])("%s", async (body) => {
    const error = await refuse(surface, body);
    expect(error.code).toBe("invalid_request");
  });

  it.each([
    ["1e400", "1e400"],
    ["-1e400", "-1e400"],
    ["-0", "-0"],
    ["0", "0"],
    ["1e-7", "1e-7"],
    ["five decimals", "1.00001"],
    ["seventeen digits", "0.10000000000000003"],
    ["negative", "-30"],
    ["over 100 percent", "100.0001"],
    ["1e21", "1e21"],
    ["text", '"30"'],
    ["text NaN", '"NaN"'],
    ["true", "true"],
    ["null", "null"],
    ["object", "{}"],
    ["array", "[30]"],
  ])("amount %s", async (_name, amount) => {
    const error = await refuse(surface, campaignOf(amount));
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.map(({ path }) => path)).toContain("commission_amount");
  });

  it.each([
    ["NUL", "a\\u0000b"],
    ["high surrogate", "a\\ud800b"],
    ["low surrogate", "a\\udc00b"],
    ["surrogates in the wrong order", "\\udc00\\ud800"],
    ["nothing", ""],
    ["white space", " \\t\\n\\u00a0"],
    ["201 characters", "x".repeat(201)],
    ["200,000 characters", "x".repeat(200_000)],
  ])("name with %s", async (_name, name) => {
    const body = campaignWhere({}).replace(CAMPAIGN.name, name);
    expect((await refuse(surface, body)).issues?.map(({ path }) => path)).toContain("name");
  });

  it("unknown fields, by name", async () => {
    const body = campaignWith(
      '"Name":1,"constructor":{},"prototype":1,"toString":1,"hasOwnProperty":1,"first_payment_commission":{"enabled":true,"type":"fixed","amount":1,"x":1}',
    );
    const { issues } = await refuse(surface, body);
    expect(issues?.map(({ path }) => path).sort()).toEqual([
      "Name",
      "constructor",
      "first_payment_commission.x",
      "hasOwnProperty",
      "prototype",
      "toString",
    ]);
  });

  it.each([
    ["on top", '"__proto__":{"is_default":true}', "__proto__"],
    ["escaped", '"__pr\\u006fto__":{"is_default":true}', "__proto__"],
    [
      "inside",
      '"first_payment_commission":{"enabled":true,"type":"fixed","amount":1,"__proto__":1}',
      "first_payment_commission.__proto__",
    ],
  ])("__proto__ %s, by name", async (_name, member, path) => {
    const { issues } = await refuse(surface, campaignWith(member));
    expect(issues).toEqual([{ path, message: "Unknown field." }]);
    expect(Object.hasOwn(Object.prototype, "is_default")).toBe(false);
  });

  it("at most a hundred issues", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`x${index}`, index]));
    expect((await refuse(surface, campaignWhere(unknown))).issues).toHaveLength(100);
    const fields = Array.from({ length: 50 }, () => ({ a: 1, b: 1, c: 1 }));
    expect((await refuse(surface, campaignWhere({ custom_fields: fields }))).issues).toHaveLength(100);
  });

  it("one byte over 256 KiB", async () => {
    const body = campaignWhere({}).padEnd(256 * 1024 + 1);
    expect((await refuse(surface, body)).code).toBe("payload_too_large");
  });

  it.each([
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "application/jsonx",
    "application/json-patch+json",
    "application/vnd.api+json",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    'application/json; charset="latin1"',
    "json",
    "application",
    "/",
    ";",
    "application/json, text/plain",
    "*/*",
  ])("content type %s", async (type) => {
    const error = await refuse(surface, campaignWhere({}), { "content-type": type });
    expect(error.code).toBe("unsupported_media_type");
  });

  it("no content type", async () => {
    const body = Buffer.from(campaignWhere({}));
    const error = await refuse(surface, body, {});
    expect(error.code).toBe("unsupported_media_type");
  });

  it.each(["gzip", "deflate", "br", "gzip, identity", "x"])("content encoding %s", async (encoding) => {
    const headers = { "content-type": "application/json", "content-encoding": encoding };
    const error = await refuse(surface, campaignWhere({}), headers);
    expect(error.code).toBe("unsupported_media_type");
  });
});

describe.each(surfaces)("a valid body over %s", (surface) => {
  it.each([
    ["exactly 256 KiB", campaignWhere({}).padEnd(256 * 1024)],
    ["byte order mark", Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from(campaignWhere({}))])],
    ["an amount with an exponent", campaignOf("3e1")],
    ["an amount with idle digits", campaignOf("30.000000000000000000000")],
    ["an amount of four decimals", campaignOf("33.3333")],
    ["escaped keys", campaignWhere({}).replace('"name"', '"\\u006eame"')],
    ["a pair of surrogates", campaignWhere({}).replace("Partner", "\\ud83d\\ude00")],
    ["colons, braces and quotes in a text", campaignWhere({ name: '{"name":[1,2:3]}\\"' })],
  ])("%s", async (_name, body) => {
    expect((await post(surface, body)).status).toBe(200);
  });

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json; charset=utf8; q=1",
  ])("content type %s", async (type) => {
    expect((await post(surface, campaignWhere({}), { "content-type": type })).status).toBe(200);
  });

  it("content encoding identity", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "identity" };
    expect((await post(surface, campaignWhere({}), headers)).status).toBe(200);
  });
});

it("treats a missing body as empty", async () => {
  const created = await post("rest", campaignWhere({}));
  const path = `/campaigns/${created.body.data.id}`;
  for (const headers of [{}, { "content-type": "application/json" }]) {
    const answer = await organization.rest("PUT", path, undefined, headers);
    expect(answer).toMatchObject({ status: 200, body: { data: created.body.data } });
  }
  const error = responseError("rest", await post("rest", undefined));
  expect(error.issues?.map(({ message }) => message)).toEqual(["Required.", "Required.", "Required."]);
});
