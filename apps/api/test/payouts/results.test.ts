import { describe, expect, it } from "vitest";
import { unknownId } from "../program.ts";
import { download, type PaidOut, type PaidOutRow, payOut, upload } from "./payout-run.ts";
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

/** Each payout's status and reason, and its commissions' statuses. */
async function states(of: PaidOut = run): Promise<string[]> {
  const rows = await service.database<{ state: string }[]>`
    select concat_ws(' ', payout.status, coalesce(payout.status_reason, '-'), (
      select string_agg(commission.payout_status, ' ') from commission_states commission
      where commission.affiliate_id = payout.affiliate_id)) as state
    from payouts payout where run_id = ${of.run_id} order by affiliate_name`;
  return rows.map(({ state }) => state);
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
    const before = await stored(service);
    const file = [CSV, ...payouts.map((payout) => csvLine(payout, "processing"))].join("\n");
    for (let time = 0; time < 2; time++) {
      expect((await upload(run, "format=csv", file)).body.data).toMatchObject({
        paid: 0,
        failed: 0,
        open: 4,
      });
    }
    expect(await stored(service)).toEqual(before);
  });

  it("is only checked on request: it says what would change, and changes nothing", async () => {
    const [first, second, third] = payouts;
    const lines = [csvLine(first, "paid"), csvLine(second, "failed", "closed"), csvLine(third, "pending")];
    const before = await stored(service);
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
    expect(await stored(service)).toEqual(before);
    expect(await errorOf(service, run, [CSV, ...lines, lines[0]].join("\n"), "csv&check=true")).toMatchObject(
      {
        issues: [{ path: "line 5", message: "The payout is already on line 2." }],
      },
    );
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
    const before = await stored(service);
    for (const query of ["format=wise", "format=wise&check=true"]) {
      expect((await upload(run, query, file)).body.data).toMatchObject({
        paid: 0,
        failed: 0,
        open: 1,
        unchanged: 2,
        skipped: 0,
      });
    }
    expect(await stored(service)).toEqual(before);
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
    const before = await stored(service);
    expect((await upload(run, "format=csv", file)).body.data).toMatchObject({ failed: 0, unchanged: 2 });
    expect((await upload(run, "format=paypal", activity)).body.data).toMatchObject({
      failed: 0,
      unchanged: 1,
    });
    expect(await stored(service)).toEqual(before);
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
      expect((await errorOf(service, rounded, file, "paypal")).issues?.[0]?.message).toMatch(/^The amount/);
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
