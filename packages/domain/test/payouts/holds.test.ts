/* Affiliates who are left out of payout runs, and the effects of a ban on amounts that are owed. */
import type { TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { beforeEach, describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { banAffiliates, unbanAffiliates } from "../../src/ban-affiliates.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { payableOutcome } from "../../src/ledger/payable.ts";
import { explainPayout } from "../../src/payouts/explain.ts";
import { exportPayouts } from "../../src/payouts/files/export.ts";
import { holdPayouts, releasePayoutHolds } from "../../src/payouts/holds.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { proposePayoutRun } from "../../src/payouts/runs/propose.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { summarizePayoutRun } from "../../src/payouts/runs/summarize.ts";
import { getHome } from "../../src/portal/home.ts";
import { mailedCode } from "../../src/portal/mailed-code.ts";
import { confirmPayoutEmail, requestPayoutEmail } from "../../src/portal/payout-email.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { history } from "../audit-log/history.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import {
  addEarner,
  brokenRules,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  payOut,
  payouts,
  previews,
  statusOf,
} from "../ledger/program.ts";
import { sessionOf } from "../portal/own-session.ts";
import { workPayoutRuns } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let joe: Earner;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
  joe = await addEarner(context);
});

const REASON = "Waits for an answer";

const hold = (own: CreationContext = context) =>
  holdPayouts(own, { affiliate_ids: [jane.affiliate_id], reason: REASON });

const rowOfJane = async () =>
  (await previews(context)).find(({ affiliate_id }) => affiliate_id === jane.affiliate_id);

describe("an affiliate who is left out", () => {
  it("is not paid by runs, which say why, until it is released", async () => {
    await earn(context, jane, { amount: 30 });
    await earn(context, joe, { amount: 20 });
    expect(await hold()).toEqual({ changed: 1 });
    expect(await hold()).toEqual({ changed: 0 });
    expect(await rowOfJane()).toMatchObject({
      outcome: "withheld",
      amount: 30,
      hold_reason: REASON,
      banned: false,
    });
    expect((await summarizePayoutRun(context)).totals).toMatchObject([
      { included: { payees: 1, amount: 20 }, withheld: { payees: 1, amount: 30 } },
    ]);
    expect(await proposePayoutRun(context, {})).toMatchObject({ affiliates: 1, totals: [{ amount: 20 }] });
    await payOut(context, monthsAgo(0));
    expect(await payouts(context)).toMatchObject([{ affiliate_id: joe.affiliate_id }]);
    expect(await listBalances(context, jane.affiliate_id)).toMatchObject([{ due: 30 }]);
    const { affiliate_id } = jane;
    expect(await releasePayoutHolds(context, [affiliate_id.toUpperCase()])).toEqual({ changed: 1 });
    expect(await releasePayoutHolds(context, [affiliate_id])).toEqual({ changed: 0 });
    expect(await rowOfJane()).toMatchObject({ outcome: "included", hold_reason: null });
    await startPayoutRun(context, { number: 2, method: "manual" });
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await payouts(context)).toHaveLength(2);
    const entries = (await history(context)).filter(({ resource_id }) => resource_id === affiliate_id);
    expect(entries.filter(({ after }) => "payouts_held" in (after as object))).toHaveLength(2);
    expect(await brokenRules(context)).toEqual([]);
  });

  it("is not paid by a run that started before, nor by files of one that created its payout", async () => {
    await earn(context, jane, { amount: 30 });
    await earn(context, joe, { amount: 20 });
    const { id } = await startPayoutRun(context, { method: "manual" });
    await hold();
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await payouts(context)).toMatchObject([{ affiliate_id: joe.affiliate_id }]);
    await holdPayouts(context, { affiliate_ids: [joe.affiliate_id], reason: REASON });
    const fileOf = async (format: "paypal" | "csv") => {
      const { content } = await exportPayouts(context, { id, format });
      let text = "";
      for await (const chunk of content) text += chunk;
      return text;
    };
    expect(await fileOf("paypal")).toBe("");
    expect((await fileOf("csv")).trim().split("\r\n")).toHaveLength(2);
    await releasePayoutHolds(context, [joe.affiliate_id]);
    expect((await fileOf("paypal")).trim().split("\r\n")).toHaveLength(1);
  });

  it("does not exist, or is another organization's: nobody is left out", async () => {
    const theirs = await addEarner(await makePayoutContext(test.database));
    const affiliate_ids = [jane.affiliate_id, theirs.affiliate_id];
    await expect(holdPayouts(context, { affiliate_ids, reason: REASON })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(releasePayoutHolds(context, affiliate_ids)).rejects.toMatchObject({ code: "not_found" });
    const rows =
      await test.database`select from payout_holds where organization_id = ${context.organization.id}`;
    expect(rows).toHaveLength(0);
  });

  it("reads in the portal that the next payout is on hold", () => {
    const owed = { due_minor: 100n, held_minor: 0n, is_withheld: true };
    expect(payableOutcome(owed, 0n)).toBe("withheld");
    expect(payableOutcome({ ...owed, due_minor: -1n }, 0n)).toBe("negative");
    expect(payableOutcome({ ...owed, due_minor: 0n, held_minor: 5n }, 0n)).toBe("held");
  });

  it("loses the reason with its erasure, and stays left out", async () => {
    await hold();
    await eraseAffiliate(context, jane.affiliate_id);
    const rows =
      await test.database`select reason from payout_holds where organization_id = ${context.organization.id}`;
    expect([...rows]).toEqual([{ reason: "Erased: nobody can be paid." }]);
    expect(JSON.stringify(await history(context))).not.toContain(REASON);
  });
});

describe("a ban", () => {
  const ban = (due: "pay" | "hold" | "void", own: CreationContext = context) =>
    banAffiliates(own, { ids: [jane.affiliate_id], reason: "Ads on our name.", due });

  it("leaves what is owed to the next run, holds it, or voids it", async () => {
    const ids = [await earn(context, jane, { amount: 30 }), await earn(context, jane, { amount: 5 })];
    await ban("pay");
    expect(await rowOfJane()).toMatchObject({
      outcome: "included",
      amount: 35,
      banned: true,
      hold_reason: null,
    });
    await ban("hold");
    expect(await rowOfJane()).toMatchObject({
      outcome: "withheld",
      amount: 35,
      banned: true,
      hold_reason: "Ads on our name.",
    });
    await ban("void");
    expect(await rowOfJane()).toBeUndefined();
    expect(await Promise.all(ids.map((id) => statusOf(context, id)))).toEqual(["voided", "voided"]);
    expect(await listBalances(context, jane.affiliate_id)).toMatchObject([{ earned: 0, lost: 35, due: 0 }]);
    // A later commission for a payment before the ban is left out.
    await earn(context, jane, { amount: 9 });
    expect(await rowOfJane()).toMatchObject({ outcome: "withheld", amount: 9 });
    expect(await brokenRules(context)).toEqual([]);
  });

  it.each(LOST_ANSWERS)(
    "voids, holds and bans together, or not at all, when a call fails (%s)",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        context = await makePayoutContext(test.database);
        jane = await addEarner(context);
        const ids = [await earn(context, jane, { amount: 30 }), await earn(context, jane, { amount: 5 })];
        await ban("void", { ...context, database }).catch(() => null);
        const [row] = await test.database`
        select banned, exists (select from payout_holds where affiliate_id = affiliate.id) as is_held
        from affiliates affiliate where id = ${jane.affiliate_id}`;
        const states = await Promise.all(ids.map((id) => statusOf(context, id)));
        expect(row?.is_held).toBe(row?.banned);
        expect(states).toEqual(Array(2).fill(row?.banned ? "voided" : "not_paid"));
        expect(await brokenRules(context)).toEqual([]);
      });
    },
  );
});

describe("the end of a ban", () => {
  const ids = () => [jane.affiliate_id];
  const ban = () => banAffiliates(context, { ids: ids(), reason: "Ads on our name.", due: "hold" });
  const attention = async () => (await listAttention(context)).stale_holds;

  it("leaves the hold of the ban visible, or releases it", async () => {
    await earn(context, jane, { amount: 30 });
    await ban();
    expect(await attention()).toBe(0);
    expect(await rowOfJane()).toMatchObject({ outcome: "withheld", hold_is_stale: false });
    expect(await unbanAffiliates(context, { ids: ids(), release: false })).toEqual({ changed: 1 });
    expect(await rowOfJane()).toMatchObject({ outcome: "withheld", banned: false, hold_is_stale: true });
    expect(await attention()).toBe(1);
    expect(await getAffiliateDetail(context, jane.affiliate_id)).toMatchObject({
      payout_hold: { reason: "Ads on our name.", of_ban: true, held_at: expect.any(String) },
    });
    await ban();
    expect(await unbanAffiliates(context, { ids: ids(), release: true })).toEqual({ changed: 1 });
    expect(await rowOfJane()).toMatchObject({ outcome: "included", hold_reason: null });
    expect(await attention()).toBe(0);
    const { payout_hold } = await getAffiliateDetail(context, jane.affiliate_id);
    expect(payout_hold).toBeNull();
    const entries = (await history(context)).filter(({ after }) => "payouts_held" in (after as object));
    expect(entries.map(({ after }) => after)).toEqual([{ payouts_held: true }, { payouts_held: false }]);
  });

  it("by the API leaves the hold", async () => {
    await earn(context, jane, { amount: 30 });
    await ban();
    await updateAffiliate(context, { id: jane.affiliate_id, banned: false });
    expect(await rowOfJane()).toMatchObject({ outcome: "withheld", hold_is_stale: true });
  });

  it("never ends a hold that a person set, before the ban or after it", async () => {
    await earn(context, jane, { amount: 30 });
    await hold();
    await ban();
    await unbanAffiliates(context, { ids: ids(), release: true });
    expect(await rowOfJane()).toMatchObject({
      outcome: "withheld",
      hold_reason: REASON,
      hold_is_stale: false,
    });
    await releasePayoutHolds(context, ids());
    await ban();
    await hold();
    await unbanAffiliates(context, { ids: ids(), release: true });
    expect(await rowOfJane()).toMatchObject({
      outcome: "withheld",
      hold_reason: REASON,
      hold_is_stale: false,
    });
  });

  it.each(LOST_ANSWERS)("is with the release, or not at all, when a call fails (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      context = await makePayoutContext(test.database);
      jane = await addEarner(context);
      await ban();
      await unbanAffiliates({ ...context, database }, { ids: ids(), release: true }).catch(() => null);
      const [row] = await test.database`
        select banned, exists (select from payout_holds where affiliate_id = affiliate.id) as is_held
        from affiliates affiliate where id = ${jane.affiliate_id}`;
      expect(row?.is_held).toBe(row?.banned);
    });
  });
});

describe("a paid payout of an affiliate who was erased, and comes back", () => {
  const ids = () => [jane.affiliate_id];

  beforeEach(async () => {
    await earn(context, jane, { amount: 30 });
    await payOut(context, monthsAgo(1));
    const payout_ids = (await payouts(context)).map(({ id }) => id);
    await movePayouts(context, { ids: payout_ids, status: "paid", through_processing: true });
    await eraseAffiliate(context, jane.affiliate_id);
    expect(await rowOfJane()).toBeUndefined();
    expect((await listAttention(context)).owed_to_erased).toBe(0);
    await movePayouts(context, { ids: payout_ids, status: "failed" });
  });

  it("is due, is said where people look, and is never paid", async () => {
    expect(await listBalances(context, jane.affiliate_id)).toMatchObject([{ due: 30, paid: 0 }]);
    expect(await rowOfJane()).toMatchObject({
      outcome: "withheld",
      amount: 30,
      hold_reason: "Erased: nobody can be paid.",
    });
    expect(await listAttention(context)).toMatchObject({ owed_to_erased: 1, stale_holds: 0 });
    const [payout] = await payouts(context);
    expect(await explainPayout(context, payout?.id ?? "")).toMatchObject({
      status: "failed",
      is_erased: true,
    });
    await expect(releasePayoutHolds(context, ids())).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "affiliate_ids" }],
    });
    await payOut(context, monthsAgo(0));
    expect(await payouts(context)).toHaveLength(1);
    // Nor by another program.
    await expect(
      test.database`delete from payout_holds where affiliate_id = ${jane.affiliate_id}`,
    ).rejects.toMatchObject({ code: "FF007" });
  });

  it("is closed by voiding it", async () => {
    await banAffiliates(context, { ids: ids(), reason: null, due: "void" });
    expect(await listBalances(context, jane.affiliate_id)).toMatchObject([{ due: 0, paid: 0, lost: 30 }]);
    expect((await listAttention(context)).owed_to_erased).toBe(0);
    expect(await rowOfJane()).toBeUndefined();
    expect(await brokenRules(context)).toEqual([]);
  });
});

describe("an affiliate who changed its payout email", () => {
  const acting = { database: {} as never, notifyWorkers: () => {}, secrets_key: Buffer.alloc(32, 7) };

  let changes = 0;

  /** As a stolen session would, beside the code of the sign-in address. */
  async function change(): Promise<void> {
    const own = { ...acting, database: test.database };
    const session = await sessionOf(context, jane.affiliate_id);
    changes += 1;
    await requestPayoutEmail(own, session, `${jane.affiliate_id}-${changes}@bank.example`);
    const [{ id }] = await test.database<[{ id: string }]>`
      select id from payout_email_changes where affiliate_id = ${jane.affiliate_id} order by id desc limit 1`;
    await confirmPayoutEmail(own, session, {
      code: mailedCode(acting.secrets_key, id, "payout email codes"),
      sign_in_code: mailedCode(acting.secrets_key, id, "sign-in codes of payout emails"),
    });
  }

  const pass = async () =>
    await test.database`
      update payout_holds set ends_at = now() - interval '1 second' where affiliate_id = ${jane.affiliate_id}`;

  it("waits for 72 hours, visibly for staff and in the portal, and is then paid", async () => {
    await earn(context, jane, { amount: 30 });
    await earn(context, joe, { amount: 20 });
    await change();
    const { payout_hold } = await getAffiliateDetail(context, jane.affiliate_id);
    const ends_at = payout_hold?.ends_at ?? "";
    const hours = (Date.parse(ends_at) - Date.now()) / 3_600_000;
    expect([hours > 71.9, hours <= 72, payout_hold?.of_ban]).toEqual([true, true, false]);
    expect(await rowOfJane()).toMatchObject({
      outcome: "withheld",
      hold_reason: expect.stringContaining("changed its payout email"),
    });
    const home = async () =>
      (await getHome(test.database, await sessionOf(context, jane.affiliate_id))).payouts;
    expect(await home()).toMatchObject({ withheld_until: ends_at, currencies: [{ outcome: "withheld" }] });
    await payOut(context, monthsAgo(0));
    expect(await payouts(context)).toMatchObject([{ affiliate_id: joe.affiliate_id }]);
    await pass();
    expect((await getAffiliateDetail(context, jane.affiliate_id)).payout_hold).toBeNull();
    expect(await home()).toMatchObject({ withheld_until: null });
    await startPayoutRun(context, { number: 2, method: "manual" });
    await workPayoutRuns(test.database, new AbortController().signal);
    expect(await payouts(context)).toHaveLength(2);
  });

  it("is paid at once if staff release it", async () => {
    await earn(context, jane, { amount: 30 });
    await change();
    expect(await releasePayoutHolds(context, [jane.affiliate_id])).toEqual({ changed: 1 });
    expect(await rowOfJane()).toMatchObject({ outcome: "included", hold_reason: null });
  });

  it("stays held by a person or a ban for as long as these say", async () => {
    const held = async () => {
      const { payout_hold } = await getAffiliateDetail(context, jane.affiliate_id);
      return payout_hold && [payout_hold.reason, payout_hold.of_ban, payout_hold.ends_at];
    };
    await hold();
    await change();
    expect(await held()).toEqual([REASON, false, null]);
    await releasePayoutHolds(context, [jane.affiliate_id]);
    await change();
    await banAffiliates(context, { ids: [jane.affiliate_id], reason: "Fraud", due: "hold" });
    expect(await held()).toEqual(["Fraud", true, null]);
    await unbanAffiliates(context, { ids: [jane.affiliate_id], release: true });
    expect(await held()).toBeNull();
    // One that has ended is no hold any more.
    await change();
    await pass();
    expect(await hold()).toEqual({ changed: 1 });
    expect(await held()).toEqual([REASON, false, null]);
  });

  it("is not held by a change of staff or a program", async () => {
    await updateAffiliate(context, { id: jane.affiliate_id, payout_email: "staff@bank.example" });
    expect((await getAffiliateDetail(context, jane.affiliate_id)).payout_hold).toBeNull();
  });
});
