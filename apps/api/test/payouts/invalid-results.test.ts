import { describe, expect, it } from "vitest";
import { createProgram, unknownId } from "../program.ts";
import { responseError } from "../response-error.ts";
import { payOut, upload } from "./payout-run.ts";
import {
  ACTIVITY,
  activityLine,
  beforeEachWithPayouts,
  CSV,
  csvLine,
  errorOf,
  type ResultTest,
  stored,
  TRANSFERS,
  transferLine,
} from "./result-files.ts";

let service: ResultTest["service"];
let run: ResultTest["run"];
let payouts: ResultTest["payouts"];

beforeEachWithPayouts((test) => {
  ({ service, run, payouts } = test);
});

const refused = (file: string | Uint8Array, format?: string) => errorOf(service, run, file, format);

describe("an invalid result file", () => {
  it("changes nothing, and reports each invalid line with number and reason", async () => {
    const [first, second, third] = payouts;
    const file = [
      CSV,
      csvLine(first, "paid"),
      csvLine({ ...second, id: unknownId() }, "paid"),
      csvLine(first, "paid"),
      csvLine(first, "failed"),
      csvLine({ ...second, amount: "1234.06" }, "paid"),
      csvLine({ ...second, amount: "-1234.05" }, "paid"),
      csvLine({ ...second, amount: "" }, "paid"),
      csvLine({ ...second, currency: "EUR" }, "paid"),
      csvLine(third, "perhaps"),
    ];
    const error = await refused(file.join("\n"));
    expect(error).toMatchObject({
      code: "invalid_request",
      message: "7 lines are refused; nothing was changed.",
    });
    expect(error.issues?.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      "line 4: The payout is already on line 2.",
      "line 5: The payout is already on line 2.",
      `line 6: The amount "1234.06" differs from the payout's.`,
      `line 7: The amount "-1234.05" differs from the payout's.`,
      `line 8: The amount "" differs from the payout's.`,
      `line 9: The currency is "EUR", but the payout's is USD.`,
      `line 10: The status "perhaps" is unknown.`,
    ]);
  });

  it("reports twenty lines and counts the others", async () => {
    const lines = Array.from({ length: 2_500 }, () => csvLine(payouts[0], "perhaps"));
    const error = await refused([CSV, ...lines].join("\n"));
    expect(error.message).toBe("2500 lines are refused; nothing was changed.");
    expect(error.issues).toHaveLength(20);
    expect(error.issues?.at(-1)?.path).toBe("line 21");
    const more = await refused([CSV, ...Array(10).fill(lines).flat()].join("\n"));
    expect(more.message).toBe("10000 lines or more are refused; nothing was changed.");
  });

  it("is refused if no line is of the run, as a file of another run", async () => {
    const elsewhere = await payOut(service, ["12.50 USD"]);
    const lines = elsewhere.payouts.map((payout) => csvLine(payout, "paid"));
    expect(await refused([CSV, ...lines].join("\n"))).toMatchObject({
      code: "invalid_request",
      message: "No line is of a payout of this run; nothing was changed.",
      issues: [
        { path: "line 2", message: expect.stringMatching(/^No payout of this run has the reference "/) },
      ],
    });
    const many = Array.from({ length: 12_000 }, () => csvLine({ ...payouts[0], id: unknownId() }, "paid"));
    expect((await refused([CSV, ...many].join("\n"))).issues).toHaveLength(20);
  });

  it("changes nothing twice when sent twice concurrently", async () => {
    const file = [CSV, ...payouts.map((payout) => csvLine(payout, "paid"))].join("\n");
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(run, "format=csv", file)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ body }) => [body.data.paid, body.data.unchanged]).sort()).toEqual([
      [0, 4],
      [0, 4],
      [0, 4],
      [4, 0],
    ]);
    const [{ lines } = {}] = await service.database`
      select count(*)::int as lines from ledger_entries
      where kind = 'paid' and organization_id = ${run.program.organization.organization_id}`;
    expect(lines).toBe(4);
  });

  it("rejects an ambiguous short reference", async () => {
    const [first, second] = payouts;
    // Ids of one transaction share their first digits, too.
    const twin = `1${first.id.slice(1)}`;
    await service.database`update payouts set id = ${twin} where id = ${second.id}`;
    const { issues } = await refused([TRANSFERS, transferLine(first, "COMPLETED")].join("\n"), "wise");
    expect(issues?.[0]?.message).toMatch(/^Two payouts of this run have the reference/);
  });

  it("is rejected with swapped amounts or references from PayPal and Wise", async () => {
    const other = { ...payouts[0], amount: "12.49" };
    const paypal = await refused([ACTIVITY, activityLine(other, "Completed")].join("\n"), "paypal");
    expect(paypal.issues).toEqual([
      { path: "line 2", message: `The amount "-12.49" differs from the payout's.` },
    ]);
    const wise = await refused([TRANSFERS, transferLine(other, "COMPLETED")].join("\n"), "wise");
    expect(wise.issues).toEqual([
      { path: "line 2", message: `The amount "12.49" differs from the payout's.` },
    ]);
    const nobody = { ...payouts[0], id: unknownId() };
    for (const [format, file] of [
      ["paypal", [ACTIVITY, activityLine(nobody, "Completed")]],
      ["wise", [TRANSFERS, transferLine(nobody, "COMPLETED")]],
    ] as const) {
      expect((await refused(file.join("\n"), format)).issues?.[0]?.message).toMatch(/^No payout of this run/);
    }
  });

  it.each([
    ["nothing", "", "line 1", "The file is empty."],
    ["a header of something else", "a,b\n1,2", "line 1", /no column payout_id, amount, currency, status/],
    ["an open quote", `${CSV}\n"abc`, "line 2", /not valid CSV/],
    ["a quote in the middle", `${CSV}\nab"c,1,2,3,4`, "line 2", /not valid CSV/],
    ["a line too short", `${CSV}\n1,2\n`, "line 2", /more or fewer cells/],
    ["a line of 100,000 characters", `${CSV}\n"${"x".repeat(100_000)}`, "line 2", /longer than/],
    ["JSON", '{"a": 1}', "line 1", /./],
    ["bytes of no text", "\u0000\u0001\ufffd", "line 1", /not UTF-8/],
    ["Windows-1252", Buffer.from(`${CSV}\n1,2,3,4,Empf\u00e4nger`, "latin1"), "line 2", /not UTF-8/],
  ])("is rejected when it is %s", async (_what, file, path, message) => {
    const { code, issues } = await refused(file);
    expect(code).toBe("invalid_request");
    expect(issues).toEqual([{ path, message: expect.stringMatching(message) }]);
  });
});

/** A file sent in chunks without Content-Length. */
function fileOf(head: string, piece: Buffer, pieces: number): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    pull: (controller) => {
      sent += 1;
      if (sent > pieces) controller.close();
      else controller.enqueue(piece);
    },
  });
}

describe("a result upload", () => {
  const line = () => [CSV, csvLine(payouts[0], "paid")].join("\n");

  it("requires an admin of the organization", async () => {
    const of = (api_key: string) => ({
      ...run,
      staff: { ...run.staff, headers: { authorization: `Bearer ${api_key}` } },
    });
    const { api_key } = run.program.organization;
    expect(await errorOf(service, of(api_key), line())).toMatchObject({ code: "insufficient_scope" });
    expect(await errorOf(service, of("ff_sk_wrong"), line())).toMatchObject({ code: "unauthorized" });
    const viewer = await service.staff(run.program.organization.organization_id, "viewer");
    expect(await errorOf(service, { ...run, staff: viewer }, line())).toMatchObject({
      code: "forbidden_role",
    });
    const other = await createProgram(service);
    const theirs = await service.staff(other.organization.organization_id);
    expect(await errorOf(service, { ...run, staff: theirs }, line())).toMatchObject({ code: "not_found" });
    expect(await errorOf(service, { ...run, run_id: unknownId() }, line())).toMatchObject({
      code: "not_found",
    });
  });

  it("comes from the dashboard's own pages if it carries a cookie", async () => {
    const before = await stored(service);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://elsewhere.example" }]) {
      const answer = await upload(run, "format=csv", line(), headers);
      expect(responseError("rest", answer)).toMatchObject({ code: "forbidden_origin" });
    }
    expect(await stored(service)).toEqual(before);
    expect((await upload(run, "format=csv", line(), { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it("must be declared, uncompressed CSV of limited size", async () => {
    const before = await stored(service);
    const send = async (headers: Record<string, string>, query = "format=csv") =>
      responseError("rest", await upload(run, query, line(), headers)).code;
    expect(await send({ "content-type": "application/json" })).toBe("unsupported_media_type");
    expect(await send({ "content-type": "text/csv; charset=latin1" })).toBe("unsupported_media_type");
    expect(await send({ "content-encoding": "gzip" })).toBe("unsupported_media_type");
    expect(await send({}, "format=excel")).toBe("invalid_request");
    expect(await send({}, "format=csv&dry=1")).toBe("invalid_request");
    const mebibyte = Buffer.from(`${csvLine(payouts[0], "failed", "x".repeat(60_000))}\n`.repeat(17));
    const large = await upload(run, "format=csv", fileOf(`${CSV}\n`, mebibyte, 66));
    expect(responseError("rest", large)).toMatchObject({
      code: "payload_too_large",
      message: "The file is larger than 64 MiB.",
    });
    const nonsense = await upload(run, "format=csv", fileOf("nonsense\n", mebibyte, 66));
    expect(responseError("rest", nonsense).code).toBe("invalid_request");
    expect(await stored(service)).toEqual(before);
  });
});
