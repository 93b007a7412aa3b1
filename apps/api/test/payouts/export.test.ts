import { referenceOf, shortReferenceOf } from "@findersfee/domain/payouts/reference";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram, unknownId } from "../program.ts";
import { responseError } from "../response-error.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { download, type PaidOut, payOut } from "./payout-run.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

function linesOf(text: string): string[] {
  return text.split("\r\n").filter((line) => line !== "");
}

async function refused(run: Pick<PaidOut, "staff" | "run_id">, query: string) {
  const { status, headers, text } = await download(run, query);
  return responseError("rest", { status, headers, body: JSON.parse(text) });
}

describe("the files of a run", () => {
  it("say who downloaded which when", async () => {
    const run = await payOut(service, ["12.50 USD", "3 EUR"], { method: "paypal" });
    const { files } = run.staff.trpc.dashboard.payout_runs;
    const names = (await files.query({ id: run.run_id })).map(
      ({ format, currency, file, files: all, payouts, downloads }) =>
        `${format} ${currency} ${file}/${all}: ${payouts} payouts, ${downloads.length} downloads`,
    );
    expect(names).toEqual([
      "paypal EUR 1/1: 1 payouts, 0 downloads",
      "paypal USD 1/1: 1 payouts, 0 downloads",
      "csv null 1/1: 2 payouts, 0 downloads",
    ]);
    await download(run, "format=paypal&currency=USD");
    await download(run, "format=paypal&currency=USD");
    await download(run, "format=csv");
    const [euros, dollars, csv] = await files.query({ id: run.run_id });
    expect(euros?.downloads).toEqual([]);
    expect(dollars?.downloads).toHaveLength(2);
    expect(csv?.downloads).toMatchObject([{ actor: `user ${run.staff.user_id}` }]);
    expect(csv?.downloads[0]?.actor_name).toEqual(expect.any(String));
    // A program that reads the bookkeeping file again and again hides no download of a file that pays.
    await service.database`
      insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, before, after, created_at)
      select ${run.program.organization.organization_id}, ('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid,
        'payout_run', ${run.run_id}, 'downloaded', 'operator', '{}', '{"format": "csv", "currency": null, "file": 1}', now()
      from generate_series(1, 300) as n`;
    const later = await files.query({ id: run.run_id });
    expect(later.map(({ downloads }) => downloads.length)).toEqual([0, 2, 10]);
  });

  it("are none of a viewer's, and a refused download is not recorded", async () => {
    const run = await payOut(service, ["12.50 USD"]);
    const viewer = await service.staff(run.program.organization.organization_id, "viewer");
    expect(await refused({ ...run, staff: viewer }, "format=csv")).toMatchObject({ code: "forbidden_role" });
    expect(await refused(run, "format=paypal&currency=USD&file=2")).toMatchObject({
      code: "invalid_request",
    });
    const files = await viewer.trpc.dashboard.payout_runs.files.query({ id: run.run_id });
    expect(files.flatMap(({ downloads }) => downloads)).toEqual([]);
  });
});

describe("the export of a run", () => {
  it("contains every payout with its reference in each format, except failed and canceled ones", async () => {
    const run = await payOut(service, ["12.50 USD", "0.05 USD", "1234567.89 USD", "1 USD", "2 USD", "3 USD"]);
    const [first, second, third, paid, failed, canceled] = run.payouts.map(({ id }) => id);
    const move = run.staff.trpc.dashboard.payouts.move.mutate;
    await move({ ids: [paid ?? ""], status: "processing" });
    await move({ ids: [paid ?? ""], status: "paid" });
    await move({ ids: [failed ?? ""], status: "failed", reason: "no account" });
    await move({ ids: [canceled ?? ""], status: "canceled" });
    const [{ period }] = await service.database<[{ period: string }]>`
      select period from payout_runs where id = ${run.run_id}`;

    const csv = await download(run, "format=csv");
    expect(csv.status).toBe(200);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="payouts-${period}.csv"`);
    const [header, ...lines] = linesOf(csv.text);
    expect(header).toMatch(/^payout_id,affiliate_id,/);
    expect(lines.map((line) => line.split(",").filter((_, place) => place !== 1))).toEqual([
      [first, "Partner 0", "partner0@example.com", "12.50", "USD", period, "1", "manual", "pending"],
      [second, "Partner 1", "partner1@example.com", "0.05", "USD", period, "1", "manual", "pending"],
      [third, "Partner 2", "partner2@example.com", "1234567.89", "USD", period, "1", "manual", "pending"],
      [paid, "Partner 3", "partner3@example.com", "1.00", "USD", period, "1", "manual", "paid"],
    ]);

    const paypal = await download(run, "format=paypal");
    expect(paypal.headers.get("content-disposition")).toBe(
      `attachment; filename="payouts-${period}-paypal-USD.csv"`,
    );
    const note = `Affiliate payout ${period}`;
    expect(linesOf(paypal.text)).toEqual([
      `partner0@example.com,12.50,USD,${referenceOf(first ?? "")},${note},PAYPAL`,
      `partner1@example.com,0.05,USD,${referenceOf(second ?? "")},${note},PAYPAL`,
      `partner2@example.com,1234567.89,USD,${referenceOf(third ?? "")},${note},PAYPAL`,
    ]);

    const wise = await download(run, "format=wise");
    expect(linesOf(wise.text)).toEqual([
      "name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency",
      `Partner 0,partner0@example.com,${shortReferenceOf(first ?? "")},PERSON,target,12.50,USD,USD`,
      `Partner 1,partner1@example.com,${shortReferenceOf(second ?? "")},PERSON,target,0.05,USD,USD`,
      `Partner 2,partner2@example.com,${shortReferenceOf(third ?? "")},PERSON,target,1234567.89,USD,USD`,
    ]);
  });

  it("has one currency per provider file, with its decimals", async () => {
    const run = await payOut(service, ["12.5 USD", "1200 JPY", "1.234 KWD"]);
    expect(await refused(run, "format=paypal")).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "currency", message: expect.stringContaining("JPY, KWD, USD") }],
    });
    expect(linesOf((await download(run, "format=paypal&currency=JPY")).text)).toEqual([
      expect.stringMatching(/^partner1@example.com,1200,JPY,/),
    ]);
    expect(linesOf((await download(run, "format=wise&currency=KWD")).text)[1]).toMatch(/,1.234,KWD,KWD$/);
    expect(linesOf((await download(run, "format=csv")).text)).toHaveLength(4);
    expect(linesOf((await download(run, "format=csv&currency=USD")).text)).toHaveLength(2);
    expect((await download(run, "format=paypal&currency=EUR")).text).toBe("");
  });

  it("is refused for currencies and amounts that the provider does not pay, and names the payouts", async () => {
    const run = await payOut(service, ["1.234 KWD", "1500 HUF", "12.50 TWD", "8 UAH", "1000001 JPY"]);
    const [dinars, , dollars, hryvnias, yen] = run.payouts.map(({ id }) => id);
    const refusals = [
      ["paypal&currency=KWD", dinars, "Partner 0 is paid in KWD, which the provider does not pay."],
      [
        "paypal&currency=TWD",
        dollars,
        "Partner 2 gets 12.50 TWD; the provider pays whole amounts of TWD only.",
      ],
      ["wise&currency=UAH", hryvnias, "Partner 3 is paid in UAH, which the provider does not pay."],
      ["wise&currency=JPY", yen, "Partner 4 gets 1000001 JPY; the provider pays at most 1000000 JPY."],
    ];
    for (const [query, id, message] of refusals) {
      expect(await refused(run, `format=${query}`)).toMatchObject({
        code: "invalid_request",
        issues: [{ path: `payout ${id}`, message }],
      });
    }
    // Whole forints, without decimals.
    expect(linesOf((await download(run, "format=paypal&currency=HUF")).text)).toEqual([
      expect.stringMatching(/^partner1@example.com,1500,HUF,/),
    ]);
    expect(linesOf((await download(run, "format=paypal&currency=JPY")).text)).toHaveLength(1);
    const files = await run.staff.trpc.dashboard.payout_runs.files.query({ id: run.run_id });
    const currenciesOf = (format: string) =>
      files.filter((file) => file.format === format).map(({ currency }) => currency);
    expect(currenciesOf("paypal")).toEqual(["HUF", "JPY", "TWD"]);
    expect(currenciesOf("wise")).toEqual(["HUF", "JPY", "KWD", "TWD"]);
  });

  it("contains no formulas, regardless of affiliates' names", async () => {
    const run = await payOut(service, ["1 USD"]);
    const name = '=HYPERLINK("https://evil.example","click")\r\n@SUM(A1);=cmd|x';
    await service.database`update payouts set affiliate_name = ${name} where run_id = ${run.run_id}`;
    for (const format of ["csv", "paypal", "wise"]) {
      const { text } = await download(run, `format=${format}`);
      expect(linesOf(text)).toHaveLength(format === "paypal" ? 1 : 2);
      expect(text).not.toMatch(/(^|[,;\n])"?[=+@-]/);
    }
    expect((await download(run, "format=csv")).text).toContain(
      `"'=HYPERLINK(""https://evil.example"",""click"") @SUM(A1);'=cmd|x"`,
    );
  });

  it.each(["paypal", "wise"])("reports payouts that a file for %s cannot carry unchanged", async (format) => {
    const run = await payOut(service, ["1 USD", "2 USD", "3 USD", "4 USD"]);
    const [, minus = "", plus = "", none = ""] = run.payouts.map(({ id }) => id);
    // Simulates rows from before such addresses were rejected.
    for (const [id, address] of [
      [minus, "-jane@example.com"],
      [plus, "'+1@example.com"],
      [none, null],
    ] as const) {
      await service.database`update payouts set payout_email = ${address} where id = ${id}`;
    }
    const { issues, ...refusal } = await refused(run, `format=${format}`);
    expect(refusal).toMatchObject({ code: "invalid_request" });
    expect(issues).toEqual([
      { path: `payout ${minus}`, message: expect.stringContaining("-jane@example.com") },
      { path: `payout ${plus}`, message: expect.stringContaining("'+1@example.com") },
      { path: `payout ${none}`, message: "Partner 3 has no payout email." },
    ]);
    // The service's own format is for people, also in a spreadsheet.
    expect((await download(run, "format=csv")).text).toContain(",'-jane@example.com,");

    const ids = [minus, plus, none];
    await run.staff.trpc.dashboard.payouts.move.mutate({ ids, status: "canceled" });
    const lines = linesOf((await download(run, `format=${format}`)).text);
    expect(lines.filter((line) => line.includes("@"))).toEqual([
      expect.stringContaining("partner0@example.com,"),
    ]);
  });

  it("is rejected for a provider other than the run's", async () => {
    const run = await payOut(service, ["1 USD"], { method: "wise" });
    expect(await refused(run, "format=paypal")).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "format", message: "The payouts of this run are paid by wise." }],
    });
    for (const format of ["wise", "csv"]) expect((await download(run, `format=${format}`)).status).toBe(200);
  });

  it("is unavailable until the run finishes", async () => {
    const run = await payOut(service, ["1 USD"]);
    await service.database`update payout_runs set finished_at = null, due_at = now() where id = ${run.run_id}`;
    expect(await refused(run, "format=csv")).toMatchObject({ code: "payout_locked" });
    await service.database`update payout_runs set finished_at = now(), due_at = null where id = ${run.run_id}`;
  });
});

describe("an export request", () => {
  it.each([
    ["format=pdf", "format"],
    ["", "format"],
    ["format=csv&file=0", "file"],
    ["format=csv&file=2", "file"],
    ["format=wise&file=2", "file"],
    ["format=wise&file=1e1", "file"],
    ["format=csv&currency=usd", "currency"],
    ["format=csv&page=1", "page"],
    ["format=csv&id=1", "id"],
  ])("gets an error for %j", async (query, path) => {
    const run = { staff: await staff(), run_id: finished.run_id };
    expect(await refused(run, query)).toMatchObject({ code: "invalid_request", issues: [{ path }] });
  });

  let finished: PaidOut;
  const staff = async () => finished.staff;

  beforeAll(async () => {
    finished = await payOut(service, ["1 USD"]);
  });

  it("requires an admin of the organization", async () => {
    const { organization } = finished.program;
    const of = (api_key: string) => ({
      ...finished,
      staff: { ...finished.staff, headers: { authorization: `Bearer ${api_key}` } },
    });
    expect(await refused(of(organization.api_key), "format=csv")).toMatchObject({
      code: "insufficient_scope",
    });
    expect(await refused(of("ff_sk_wrong"), "format=csv")).toMatchObject({ code: "unauthorized" });
    expect(await refused(of(""), "format=csv")).toMatchObject({ code: "unauthorized" });
    const admin = await service.staff(organization.organization_id, "admin");
    expect((await download({ ...finished, staff: admin }, "format=csv")).status).toBe(200);
    const { "findersfee-organization": _, ...headers } = admin.headers;
    const nowhere = { ...finished, staff: { ...admin, headers } };
    expect(await refused(nowhere, "format=csv")).toMatchObject({ code: "not_a_member" });
  });

  it("reports unknown runs, including other organizations'", async () => {
    const other = await createProgram(service);
    const theirs = await service.staff(other.organization.organization_id);
    const message = "There is no payout run with this id.";
    expect(await refused({ ...finished, staff: theirs }, "format=csv")).toMatchObject({
      code: "not_found",
      message,
    });
    expect(await refused({ ...finished, run_id: unknownId() }, "format=csv")).toMatchObject({
      code: "not_found",
      message,
    });
    expect(await refused({ ...finished, run_id: "1" }, "format=csv")).toMatchObject({
      code: "invalid_request",
    });
  });

  it("rejects HEAD", async () => {
    const { url, headers: sent } = finished.staff;
    const { status, headers } = await fetch(`${url}/dashboard/payout-runs/${finished.run_id}/export`, {
      method: "HEAD",
      headers: sent,
    });
    expect([status, headers.get("allow")]).toEqual([405, "GET"]);
  });
});
