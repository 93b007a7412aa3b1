import { referenceOf, shortReferenceOf } from "@findersfee/domain/payouts/reference";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProgram, unknownId } from "../program.ts";
import { responseError } from "../response-error.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { download, type PaidOut, type PaidOutRow, payOut, upload } from "./payout-run.ts";

let service: TestService;
let run: PaidOut;
let payouts: [PaidOutRow, PaidOutRow, PaidOutRow, PaidOutRow];

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  run = await payOut(service, ["12.50 USD", "1234.05 USD", "3 USD", "4 USD"]);
  payouts = run.payouts as typeof payouts;
});

const TABLES = ["payouts", "commissions", "ledger_entries", "balances", "mails", "audit_log_entries"];

/** All state that a result file could change. */
async function stored(): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await service.database<{ row: string }[]>`
      select to_jsonb(stored)::text as row from ${service.database(table)} stored order by 1`;
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
}

/** Each payout's status and reason, and its commissions' statuses. */
async function states(of: PaidOut = run): Promise<string[]> {
  const rows = await service.database<{ state: string }[]>`
    select concat_ws(' ', payout.status, coalesce(payout.status_reason, '-'), (
      select string_agg(commission.payout_status, ' ') from commission_states commission
      where commission.affiliate_id = payout.affiliate_id)) as state
    from payouts payout where run_id = ${of.run_id} order by affiliate_name`;
  return rows.map(({ state }) => state);
}

const CSV = "payout_id,amount,currency,status,reason";

function csvLine(
  { id, amount, currency }: Pick<PaidOutRow, "id" | "amount" | "currency">,
  status: string,
  reason = "",
) {
  return [id, amount, currency, status, reason].join(",");
}

const ACTIVITY =
  '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Item ID","Custom Number"';

function activityLine({ id, amount, currency }: PaidOutRow, status: string): string {
  const gross = Number(amount).toLocaleString("en-US", { minimumFractionDigits: 2 });
  const cells = ["11/20/2026", "10:00:00", "PST", "Partner", "Mass payment", status, currency, `-${gross}`];
  return [...cells, "0.00", `-${gross}`, "0C413693MN970190K", "", referenceOf(id)]
    .map((cell) => `"${cell}"`)
    .join(",");
}

const TRANSFERS =
  'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency","Exchange rate",Reference,Batch,"Created by",Category,Note';

function transferLine({ id, amount, currency }: PaidOutRow, status: string): string {
  const money = Number(amount).toString().replace(/^\d+$/, "$&.0");
  const head = `"TRANSFER-1",${status},OUT,"2026-11-20 10:00:00","2026-11-20 10:05:00",0.50,${currency},,,Acme`;
  return `${head},${money},${currency},"Partner",${money},${currency},1.0,${shortReferenceOf(id)},B1,Jane,General,`;
}

describe("a provider's result file", () => {
  it("marks payouts as paid or failed, with their commissions", async () => {
    const [first, second, third, fourth] = payouts;
    const file = [
      CSV,
      csvLine(first, "paid"),
      csvLine(second, "failed", "the account is closed"),
      csvLine(third, "pending"),
    ];
    expect(await upload(run, "format=csv", file.join("\r\n"))).toMatchObject({
      status: 200,
      body: { success: true, data: { paid: 1, failed: 1, open: 1 } },
    });
    expect(await states()).toEqual([
      "paid - paid",
      "failed the account is closed not_paid",
      "pending - pending",
      "pending - pending",
    ]);
    const who = await service.database<{ status_by: string }[]>`
      select status_by from payouts where id in (${first.id}, ${second.id})`;
    expect(new Set(who.map(({ status_by }) => status_by.replace(/ .*/, " …")))).toEqual(new Set(["user …"]));
    const [{ paid_minor, in_payout_minor } = {}] = await service.database`
      select sum(paid_minor)::int as paid_minor, sum(in_payout_minor)::int as in_payout_minor from balances
      where organization_id = ${run.program.organization.organization_id}`;
    expect([paid_minor, in_payout_minor]).toEqual([1250, 700]);
    expect(fourth.amount).toBe("4");
  });

  it("can be PayPal's activity report", async () => {
    const [first, second, third, fourth] = payouts;
    const file = [
      ACTIVITY,
      activityLine(first, "Completed"),
      activityLine(second, "Completed"),
      activityLine(third, "Returned"),
      activityLine(fourth, "Unclaimed"),
    ];
    const { body } = await upload(run, "format=paypal", `\uFEFF${file.join("\n")}\n`);
    expect(body).toMatchObject({ success: true, data: { paid: 2, failed: 1, open: 1 } });
    expect(await states()).toEqual([
      "paid - paid",
      "paid - paid",
      "failed Returned not_paid",
      "pending - pending",
    ]);
  });

  it("can be Wise's transaction export", async () => {
    const [first, second, third] = payouts;
    const file = [
      TRANSFERS,
      transferLine(first, "COMPLETED"),
      transferLine(second, "COMPLETED"),
      transferLine(third, "REFUNDED"),
    ];
    const { body } = await upload(run, "format=wise", file.join("\n"));
    expect(body).toMatchObject({ success: true, data: { paid: 2, failed: 1, open: 0 } });
    expect(await states()).toEqual([
      "paid - paid",
      "paid - paid",
      "failed REFUNDED not_paid",
      "pending - pending",
    ]);
  });

  it("can be the service's own export with a status per payout", async () => {
    const { text } = await download(run, "format=csv");
    const file = text.replaceAll(",pending", ",paid");
    expect((await upload(run, "format=csv", file)).body.data).toMatchObject({ paid: 4, failed: 0, open: 0 });
    expect(await states()).toEqual(Array(4).fill("paid - paid"));
  });

  it("changes nothing for pending results", async () => {
    const before = await stored();
    const file = [CSV, ...payouts.map((payout) => csvLine(payout, "processing"))].join("\n");
    for (let time = 0; time < 2; time++) {
      expect((await upload(run, "format=csv", file)).body.data).toMatchObject({
        paid: 0,
        failed: 0,
        open: 4,
      });
    }
    expect(await stored()).toEqual(before);
  });

  it("is only checked on request: it says what would change, and changes nothing", async () => {
    const [first, second, third] = payouts;
    const lines = [csvLine(first, "paid"), csvLine(second, "failed", "closed"), csvLine(third, "pending")];
    const before = await stored();
    const { body } = await upload(run, "format=csv&check=true", [CSV, ...lines].join("\n"));
    expect(body.data).toEqual({
      paid: 1,
      failed: 1,
      open: 1,
      unchanged: 0,
      skipped: 0,
      skipped_lines: [],
      failures: [
        {
          payout_id: second.id,
          affiliate_name: "Partner 1",
          amount: 1234.05,
          currency: "USD",
          reason: "closed",
        },
      ],
    });
    expect(await stored()).toEqual(before);
    expect(await refused([CSV, ...lines, lines[0]].join("\n"), "csv&check=true")).toMatchObject({
      issues: [{ path: "line 5", message: "The payout is already on line 2." }],
    });
  });

  it("also completes processing payouts", async () => {
    const ids = payouts.map(({ id }) => id);
    await run.staff.trpc.dashboard.payouts.move.mutate({ ids, status: "processing" });
    const file = [CSV, csvLine(payouts[0], "paid"), csvLine(payouts[1], "failed")].join("\n");
    expect((await upload(run, "format=csv", file)).body.data).toMatchObject({ paid: 1, failed: 1 });
  });

  it("skips lines that belong to other payments, and lists them", async () => {
    const [first, second] = payouts;
    const elsewhere = await payOut(service, ["12.50 USD"]);
    const stranger = elsewhere.payouts[0] as PaidOutRow;
    const file = [
      CSV,
      csvLine({ ...first, id: "" }, "perhaps"),
      csvLine(first, "paid"),
      csvLine(stranger, "paid"),
      csvLine({ ...second, amount: "?", id: "INV-1" }, "paid"),
      csvLine(second, "failed"),
    ].join("\n");
    const result = {
      paid: 1,
      failed: 1,
      open: 0,
      skipped: 3,
      skipped_lines: [
        { line: 2, message: "The payout's reference is missing." },
        { line: 4, message: `No payout of this run has the reference "${stranger.id}".` },
        { line: 5, message: 'No payout of this run has the reference "INV-1".' },
      ],
    };
    expect((await upload(run, "format=csv&check=true", file)).body.data).toMatchObject(result);
    expect((await upload(run, "format=csv", file)).body.data).toMatchObject({ ...result, unchanged: 0 });
    expect((await states()).slice(0, 2)).toEqual(["paid - paid", "failed failed not_paid"]);
    expect(await states(elsewhere)).toEqual(["pending - pending"]);
    const lines = Array.from({ length: 12_000 }, () => csvLine({ ...first, id: unknownId() }, "paid"));
    const { data } = (
      await upload(run, "format=csv", [CSV, ...lines, csvLine(payouts[2], "paid")].join("\n"))
    ).body;
    expect(data).toMatchObject({ paid: 1, skipped: 12_000 });
    expect(data.skipped_lines).toHaveLength(20);
  });

  it("skips transfers to the account in Wise's export", async () => {
    const [first, second] = payouts;
    const incoming = transferLine(second, "COMPLETED").replace(",OUT,", ",IN,");
    const { body } = await upload(
      run,
      "format=wise",
      [TRANSFERS, transferLine(first, "COMPLETED"), incoming].join("\n"),
    );
    expect(body.data).toMatchObject({
      paid: 1,
      skipped: 1,
      skipped_lines: [{ line: 3, message: "Not a transfer to a recipient." }],
    });
    expect((await states()).slice(0, 2)).toEqual(["paid - paid", "pending - pending"]);
  });

  it("changes nothing when it is sent again", async () => {
    const [first, second, third] = payouts;
    const file = [
      TRANSFERS,
      transferLine(first, "COMPLETED"),
      transferLine(second, "CANCELLED"),
      transferLine(third, "PROCESSING"),
    ].join("\n");
    expect((await upload(run, "format=wise", file)).body.data).toMatchObject({
      paid: 1,
      failed: 1,
      unchanged: 0,
    });
    const before = await stored();
    for (const query of ["format=wise", "format=wise&check=true"]) {
      expect((await upload(run, query, file)).body.data).toMatchObject({
        paid: 0,
        failed: 0,
        open: 1,
        unchanged: 2,
        skipped: 0,
      });
    }
    expect(await stored()).toEqual(before);
  });

  it("takes back payouts that were paid and came back, once", async () => {
    const [first, second, third] = payouts;
    const ids = [first.id, second.id];
    await run.staff.trpc.dashboard.payouts.move.mutate({ ids, status: "paid", through_processing: true });
    const file = [CSV, csvLine(first, "failed", "Returned by the bank"), csvLine(third, "paid")].join("\n");
    expect((await upload(run, "format=csv", file)).body.data).toMatchObject({ paid: 1, failed: 1 });
    const activity = [ACTIVITY, activityLine(second, "Returned")].join("\n");
    expect((await upload(run, "format=paypal", activity)).body.data).toMatchObject({ paid: 0, failed: 1 });
    expect(await states()).toEqual([
      "failed Returned by the bank not_paid",
      "failed Returned not_paid",
      "paid - paid",
      "pending - pending",
    ]);
    const [{ paid_minor, unpaid_minor } = {}] = await service.database`
      select sum(paid_minor)::int as paid_minor, sum(unpaid_minor)::int as unpaid_minor from balances
      where organization_id = ${run.program.organization.organization_id}
        and affiliate_id in (select affiliate_id from payouts where run_id = ${run.run_id})`;
    expect([paid_minor, unpaid_minor]).toEqual([300, 1250 + 123405]);
    const before = await stored();
    expect((await upload(run, "format=csv", file)).body.data).toMatchObject({ failed: 0, unchanged: 2 });
    expect((await upload(run, "format=paypal", activity)).body.data).toMatchObject({
      failed: 0,
      unchanged: 1,
    });
    expect(await stored()).toEqual(before);
  });

  it("takes amounts that the payer rounded because PayPal pays whole ones", async () => {
    const rounded = await payOut(service, ["1500.40 HUF", "12.50 TWD", "12.50 TWD", "9.90 TWD"]);
    const [forints, down, wrong, decimals] = rounded.payouts as typeof payouts;
    const fileOf = (...lines: string[]) => [ACTIVITY, ...lines].join("\n");
    const one = fileOf(
      activityLine({ ...forints, amount: "1500" }, "Completed"),
      activityLine({ ...down, amount: "13" }, "Completed"),
      activityLine(decimals, "Completed"),
    );
    expect((await upload(rounded, "format=paypal", one)).body.data).toMatchObject({ paid: 3, skipped: 0 });
    for (const amount of ["14", "11", "12.40"]) {
      const file = fileOf(activityLine({ ...wrong, amount }, "Completed"));
      expect((await refused(file, "paypal", rounded)).issues?.[0]?.message).toMatch(/^The amount/);
    }
  });

  it.each([
    ["failed", "paid"],
    ["canceled", "paid"],
    ["paid", "Failed"],
  ] as const)("skips and lists a line that contradicts a payout that is %s", async (status, result) => {
    const [first, second] = payouts;
    const move = run.staff.trpc.dashboard.payouts.move.mutate;
    await move({ ids: [first.id], status, through_processing: true });
    const file =
      result === "paid"
        ? [CSV, csvLine(first, result), csvLine(second, "paid")]
        : [ACTIVITY, activityLine(first, result), activityLine(second, "Completed")];
    const { body } = await upload(run, `format=${result === "paid" ? "csv" : "paypal"}`, file.join("\n"));
    expect(body.data).toMatchObject({
      paid: 1,
      failed: 0,
      skipped: 1,
      skipped_lines: [{ line: 2, message: `The payout is already ${status}.` }],
    });
    expect((await states()).slice(0, 2)).toEqual([
      expect.stringMatching(new RegExp(`^${status} `)),
      "paid - paid",
    ]);
  });
});

/** The error of a rejected file, which must not change anything. */
async function refused(
  file: string | Uint8Array,
  format = "csv",
  of: Pick<PaidOut, "staff" | "run_id"> = run,
) {
  const before = await stored();
  const error = responseError("rest", await upload(of, `format=${format}`, file));
  expect(await stored()).toEqual(before);
  return error;
}

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
    expect(await refused(line(), "csv", of(api_key))).toMatchObject({ code: "insufficient_scope" });
    expect(await refused(line(), "csv", of("ff_sk_wrong"))).toMatchObject({ code: "unauthorized" });
    const viewer = await service.staff(run.program.organization.organization_id, "viewer");
    expect(await refused(line(), "csv", { ...run, staff: viewer })).toMatchObject({ code: "forbidden_role" });
    const other = await createProgram(service);
    const theirs = await service.staff(other.organization.organization_id);
    expect(await refused(line(), "csv", { ...run, staff: theirs })).toMatchObject({ code: "not_found" });
    expect(await refused(line(), "csv", { ...run, run_id: unknownId() })).toMatchObject({
      code: "not_found",
    });
  });

  it("comes from the dashboard's own pages if it carries a cookie", async () => {
    const before = await stored();
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://elsewhere.example" }]) {
      const answer = await upload(run, "format=csv", line(), headers);
      expect(responseError("rest", answer)).toMatchObject({ code: "forbidden_origin" });
    }
    expect(await stored()).toEqual(before);
    expect((await upload(run, "format=csv", line(), { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it("must be declared, uncompressed CSV of limited size", async () => {
    const before = await stored();
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
    expect(await stored()).toEqual(before);
  });
});
