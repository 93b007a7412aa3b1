/* Payout days and months of runs in the organization's time zone, which can change at any time. */

import type { TestDatabase } from "@findersfee/database/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { changeOrganization } from "../../src/organizations/change.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { explainPayout } from "../../src/payouts/explain.ts";
import { startDuePayoutRuns } from "../../src/payouts/runs/payout-day.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { getHome } from "../../src/portal/home.ts";
import { getStatement } from "../../src/portal/payouts.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import { brokenRules, type Earner, earn, payOut, payouts } from "../ledger/program.ts";
import { sessionOf } from "../portal/own-session.ts";
import { workPayoutRuns } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
});

const moveTo = (time_zone: string) => changeOrganization(context, { time_zone });
const work = () => workPayoutRuns(test.database, new AbortController().signal);

const runsOf = async () => [
  ...(await test.database<{ period: string; number: number; time_zone: string }[]>`
    select period, number, time_zone from payout_runs where organization_id = ${context.organization.id}
    order by created_at, number`),
];

describe("the payout day", () => {
  /** 30 November in UTC, and 1 December on Kiritimati. */
  const now = new Date("2026-11-30T10:30:00Z");

  beforeEach(async () => {
    await updateSettings(context, { payout_day: 1 });
    // Since years, or the first of November would have been before it.
    await test.database`
      update organizations set payout_day_since = '2020-01-01' where id = ${context.organization.id}`;
    await startPayoutRun(context, { period: "2026-11", method: "manual" }, new Date("2026-11-01T12:00:00Z"));
    await work();
    return async () => {
      await updateSettings(context, { payout_day: null });
    };
  });

  it("starts at midnight of the zone", async () => {
    expect(await startDuePayoutRuns(test.database, now)).toBe(0);
    await moveTo("Pacific/Kiritimati");
    expect(await startDuePayoutRuns(test.database, new Date("2026-11-30T09:59:59Z"))).toBe(0);
    expect(await startDuePayoutRuns(test.database, now)).toBe(1);
    expect(await runsOf()).toEqual([
      { period: "2026-11", number: 1, time_zone: "UTC" },
      { period: "2026-12", number: 1, time_zone: "Pacific/Kiritimati" },
    ]);
  });

  it("starts no second run of a month, and skips none, while the zone moves around", async () => {
    for (const zone of ["Pacific/Kiritimati", "Etc/GMT+12", "Pacific/Kiritimati", "UTC"]) {
      await moveTo(zone);
      await startDuePayoutRuns(test.database, now);
      await startDuePayoutRuns(test.database, new Date("2026-12-01T12:00:00Z"));
      await work();
    }
    await startDuePayoutRuns(test.database, new Date("2027-01-01T00:00:00Z"));
    await work();
    expect((await runsOf()).map(({ period }) => period)).toEqual(["2026-11", "2026-12", "2027-01"]);
  });
});

describe("a run that a person starts", () => {
  const now = new Date("2026-12-01T05:00:00Z");

  it("is for the month in the zone, or that of the last run", async () => {
    await moveTo("America/Los_Angeles");
    expect(await startPayoutRun(context, { method: "manual" }, now)).toMatchObject({
      period: "2026-11",
      time_zone: "America/Los_Angeles",
    });
    await work();
    await expect(startPayoutRun(context, { period: "2026-12", method: "manual" }, now)).rejects.toMatchObject(
      {
        code: "invalid_request",
        issues: [{ path: "period", message: "Must not be in the future." }],
      },
    );
    await moveTo("Europe/Berlin");
    expect(await startPayoutRun(context, { method: "manual" }, now)).toMatchObject({
      period: "2026-12",
      is_new: true,
    });
    await work();
    await moveTo("America/Los_Angeles");
    expect(await startPayoutRun(context, { method: "manual" }, now)).toMatchObject({
      period: "2026-12",
      is_new: false,
    });
    expect(await startPayoutRun(context, { number: 2, method: "manual" }, now)).toMatchObject({
      period: "2026-12",
      is_new: true,
    });
    await work();
    expect(await brokenRules(context)).toEqual([]);
  });
});

describe("the days that an affiliate sees", () => {
  it("of a statement are those of the run's zone, also after the organization moved", async () => {
    await moveTo("Asia/Tokyo");
    await earn(context, jane, { amount: 30 });
    const { period } = await startPayoutRun(context, { method: "manual" });
    await work();
    await moveTo("America/Los_Angeles");
    const [payout] = await payouts(context);
    const id = payout?.id ?? "";
    const session = await sessionOf(context, jane.affiliate_id);
    const shown = { period, time_zone: "Asia/Tokyo" };
    expect(await explainPayout(context, id)).toMatchObject(shown);
    expect(await getStatement(test.database, session, { id, limit: 10 })).toMatchObject(shown);
  });

  it("of the next payout, and until which commissions are held, are those of the organization's zone", async () => {
    await moveTo("Pacific/Kiritimati");
    await updateSettings(context, { payout_day: 1 });
    await payOut(context, new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 7));
    const id = await earn(context, jane, { amount: 20 });
    const session = await sessionOf(context, jane.affiliate_id);
    const next_on = (await getHome(test.database, session)).payouts.next_on ?? "";
    // One second before the payout day begins there, and one second after.
    const starts_at = Date.parse(`${next_on}T00:00:00+14:00`);
    const dueAt = async (seconds: number) => {
      await test.database`
        update unpaid_commissions set due_at = ${new Date(starts_at + seconds * 1000)}
        where organization_id = ${context.organization.id} and commission_id = ${id}`;
      return (await getHome(test.database, session)).payouts;
    };
    const last_day = new Date(Date.parse(next_on) - 86_400_000).toISOString().slice(0, 10);
    expect(await dueAt(-1)).toMatchObject({
      next_on,
      time_zone: "Pacific/Kiritimati",
      currencies: [{ outcome: "included", amount: 20, held_until: [{ on: last_day, amount: 20 }] }],
    });
    expect(await dueAt(1)).toMatchObject({
      currencies: [{ outcome: "held", amount: 0, held_until: [{ on: next_on, amount: 20 }] }],
    });
    await updateSettings(context, { payout_day: null });
  });
});
