/* Payout runs above an amount, which a second member approves or declines. */

import { upsertSecurityPolicy } from "@findersfee/database/identity/security-policies";
import { transaction } from "@findersfee/database/postgres/connect";
import type { TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import type { Context } from "../../src/context.ts";
import { addApiKey, checkKey } from "../../src/identity/api-keys/create.ts";
import { approvePayoutRun, declinePayoutRun } from "../../src/payouts/runs/decide.ts";
import { startDuePayoutRuns } from "../../src/payouts/runs/payout-day.ts";
import { proposePayoutRun } from "../../src/payouts/runs/propose.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { summarizePayoutRun } from "../../src/payouts/runs/summarize.ts";
import { signIn } from "../identity/accounts/sign-in.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import {
  addEarner,
  brokenRules,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  payouts,
} from "../ledger/program.ts";
import { workPayoutRuns } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
});

const work = () => workPayoutRuns(test.database, new AbortController().signal);

/** The program as a new member of it acts. */
async function member(role: "owner" | "admin" = "admin"): Promise<Context & { user_id: string }> {
  const { user_id } = await signIn(test.database, { organization_id: context.organization.id, role });
  return { ...context, actor: { kind: "user", id: user_id }, right: { scope: null, role: "admin" }, user_id };
}

/** Runs wait above these amounts in minor units; without an amount of its currency, each run waits. */
async function require(approval_amounts: Record<string, string>): Promise<void> {
  await upsertSecurityPolicy(test.database, context.organization.id, {
    second_factor_required: false,
    session_hours: null,
    idle_minutes: null,
    key_networks: [],
    staff_networks: [],
    approval_amounts,
  });
}

const entriesOf = async () =>
  await test.database<{ action: string; after: unknown }[]>`
    select action, after from audit_log_entries
    where organization_id = ${context.organization.id} and resource = 'payout_run' order by id`;

it("pays nothing before another member has approved, and says so where people look", async () => {
  const [ann, bob] = [await member(), await member()];
  await earn(context, jane, { amount: 60 });
  await require({ USD: "5000" });
  expect(await summarizePayoutRun(context)).toMatchObject({ needs_approval: true });
  expect(await proposePayoutRun(context, {})).toMatchObject({ needs_approval: true });
  const run = await startPayoutRun(ann, { method: "manual" });
  expect(run.approval).toMatchObject({
    state: "waiting",
    starter_id: ann.user_id,
    totals: [{ currency: "USD", payouts: 1, amount: 60 }],
  });
  await work();
  expect(await payouts(context)).toEqual([]);
  expect(await summarizePayoutRun(context)).toMatchObject({ run: { approval: { state: "waiting" } } });

  await expect(approvePayoutRun(ann, { id: run.id })).rejects.toMatchObject({ code: "forbidden_role" });
  const approved = await approvePayoutRun(bob, { id: run.id, reason: "Checked" });
  expect(approved.approval).toMatchObject({ state: "approved", decided_by: bob.user_id, reason: "Checked" });
  await work();
  expect(await payouts(context)).toMatchObject([{ amount_minor: 6_000n, status: "pending" }]);
  await expect(declinePayoutRun(bob, { id: run.id, reason: "Late" })).rejects.toMatchObject({
    code: "payout_locked",
  });
  expect(await entriesOf()).toMatchObject([
    { action: "created", after: { approval: "waiting" } },
    { action: "updated", after: { approval: "approved", reason: "Checked" } },
  ]);
  expect(await brokenRules(context)).toEqual([]);
});

it("pays no more than was approved", async () => {
  const [ann, bob] = [await member(), await member()];
  const joe = await addEarner(context);
  await earn(context, jane, { amount: 60 });
  await require({ USD: "5000" });
  const run = await startPayoutRun(ann, { method: "manual" });
  await earn(context, joe, { amount: 500 });
  await test.database`
    update payout_runs set cutoff_at = now() + interval '1 minute' where id = ${run.id}`;
  await approvePayoutRun(bob, { id: run.id });
  await work();
  const paid = (await payouts(context)).reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
  expect(paid).toBeLessThanOrEqual(6_000n);
});

it("ends without payouts when it is declined, also by who started it, and what is due stays due", async () => {
  const ann = await member();
  await earn(context, jane, { amount: 60 });
  await require({ USD: "5000" });
  const { id } = await startPayoutRun(ann, { method: "manual" });
  await expect(
    startPayoutRun(ann, { method: "manual", number: 2, affiliate_ids: [jane.affiliate_id] }),
  ).rejects.toMatchObject({ code: "payout_locked" });
  const declined = await declinePayoutRun(ann, { id, reason: "Wrong month" });
  expect(declined).toMatchObject({ approval: { state: "declined" }, finished_at: expect.any(String) });
  await work();
  expect(await payouts(context)).toEqual([]);
  await require({ USD: "6000" });
  const again = await startPayoutRun(ann, { method: "manual", number: 2 });
  expect(again.approval).toBeNull();
  await work();
  expect(await payouts(context)).toMatchObject([{ amount_minor: 6_000n }]);
});

it("counts several small runs like one, and waits in currencies without an amount", async () => {
  const ann = await member();
  const joe = await addEarner(context);
  await earn(context, jane, { amount: 40 });
  await earn(context, joe, { amount: 40 });
  await require({ USD: "5000" });
  const first = await startPayoutRun(ann, {
    number: 2,
    affiliate_ids: [jane.affiliate_id],
    method: "manual",
  });
  expect(first.approval).toBeNull();
  await work();
  const second = await startPayoutRun(ann, {
    number: 3,
    affiliate_ids: [joe.affiliate_id],
    method: "manual",
  });
  expect(second.approval).toMatchObject({ state: "waiting" });
  await declinePayoutRun(ann, { id: second.id, reason: "Too many" });
  await require({ EUR: "999999" });
  const third = await startPayoutRun(ann, { number: 4, affiliate_ids: [joe.affiliate_id], method: "manual" });
  expect(third.approval).toMatchObject({ state: "waiting" });
});

it("is not approved by the member who made the key that started it, nor by any key", async () => {
  const [ann, bob] = [await member(), await member()];
  await earn(context, jane, { amount: 60 });
  await require({});
  const made = await transaction(test.database, (sql) =>
    addApiKey(sql, ann, checkKey({ name: "Runs", scopes: ["admin"], expires_at: null })),
  );
  const key: Context = {
    ...context,
    actor: { kind: "key", id: made.id },
    right: { scope: "admin", role: "admin" },
  };
  const { id, approval } = await startPayoutRun(key, { method: "manual" });
  expect(approval).toMatchObject({ state: "waiting", starter_id: ann.user_id });
  await expect(approvePayoutRun(ann, { id })).rejects.toMatchObject({ code: "forbidden_role" });
  await expect(approvePayoutRun(key, { id })).rejects.toMatchObject({ code: "not_a_member" });
  // The starter leaves: the run is not stuck.
  await test.database`delete from members where user_id = ${ann.user_id}`;
  expect(await approvePayoutRun(bob, { id })).toMatchObject({ approval: { state: "approved" } });
});

it("refuses a run above the amount by a key that no member made", async () => {
  await earn(context, jane, { amount: 60 });
  await require({});
  const [operators_key] = await test.database<{ id: string }[]>`
    select id from api_keys where organization_id = ${context.organization.id} and kind = 'secret' limit 1`;
  const key: Context = { ...context, actor: { kind: "key", id: operators_key?.id ?? "" } };
  await expect(startPayoutRun(key, { method: "manual" })).rejects.toMatchObject({ code: "payout_locked" });
});

it("waits on the payout day, too, and any member with the right approves it", async () => {
  const ann = await member();
  await earn(context, jane, { amount: 60 });
  await require({ USD: "5000" });
  await test.database`
    update organizations set payout_day = 1, payout_day_since = now() - interval '90 days'
    where id = ${context.organization.id}`;
  expect(await startDuePayoutRuns(test.database, new Date())).toBe(1);
  await work();
  expect(await payouts(context)).toEqual([]);
  expect(await startDuePayoutRuns(test.database, new Date())).toBe(0);
  const [run] = await test.database<{ id: string }[]>`
    select id from payout_runs where organization_id = ${context.organization.id} and period = ${monthsAgo(0)}`;
  await approvePayoutRun(ann, { id: run?.id ?? "" });
  await work();
  expect(await payouts(context)).toHaveLength(1);
});

it("is held by the database: no approval of one's own, none twice, and no payout before", async () => {
  const [ann, bob] = [await member(), await member()];
  await earn(context, jane, { amount: 60 });
  await require({});
  const { id } = await startPayoutRun(ann, { method: "manual" });
  const approve = (user_id: string) => test.database`
    update payout_runs set approval = 'approved', decided_by = ${user_id}, decided_at = now(), due_at = now()
    where id = ${id}`;
  await expect(approve(ann.user_id)).rejects.toMatchObject({ constraint_name: "payout_runs_second_person" });
  await expect(
    test.database`update payout_runs set starter_id = null where id = ${id}`,
  ).rejects.toMatchObject({ code: "FF008" });
  await expect(test.database`update payout_runs set due_at = now() where id = ${id}`).rejects.toMatchObject({
    constraint_name: "payout_runs_due",
  });
  await approve(bob.user_id);
  await expect(
    test.database`update payout_runs set approval = 'waiting', decided_by = null, decided_at = null, due_at = null
      where id = ${id}`,
  ).rejects.toMatchObject({ code: "FF008" });
});

it.each(LOST_ANSWERS)(
  "is decided once, with its entry, when a call fails and it is repeated (%s)",
  async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      context = await makePayoutContext(test.database);
      jane = await addEarner(context);
      const [ann, bob] = [await member(), await member()];
      await earn(context, jane, { amount: 60 });
      await require({});
      const { id } = await startPayoutRun(ann, { method: "manual" });
      await approvePayoutRun({ ...bob, database }, { id }).catch(() => null);
      await approvePayoutRun(bob, { id }).catch(() => null);
      await work();
      expect(await payouts(context)).toMatchObject([{ amount_minor: 6_000n }]);
      expect(await entriesOf()).toHaveLength(2);
      expect(await brokenRules(context)).toEqual([]);
    });
  },
);
