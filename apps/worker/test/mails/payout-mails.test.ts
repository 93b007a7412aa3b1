import { upsertSecurityPolicy } from "@findersfee/database/identity/security-policies";
import { transaction } from "@findersfee/database/postgres/connect";
import { OPERATOR } from "@findersfee/domain/actor";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { moveLocked, movePayouts } from "@findersfee/domain/payouts/move";
import { declinePayoutRun } from "@findersfee/domain/payouts/runs/decide";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { describe, expect, it } from "vitest";
import { expectSameWords, mailStates } from "../mailing.ts";
import { beforeEachInMailProgram, type MailProgram } from "./mail-program.ts";

let mails: MailProgram;

beforeEachInMailProgram((made) => {
  mails = made;
});

/** 14 hours ahead of UTC. */
async function inKiritimati(): Promise<void> {
  await mails.test.database`
    update organizations set time_zone = 'Pacific/Kiritimati' where id = ${mails.program.organization_id}`;
}

describe("a mail about a payout", () => {
  async function process(ids: string[]): Promise<void> {
    await movePayouts(mails.program.context, { ids, status: "processing" });
  }

  it("is sent to the affiliate only when the payout is paid", async () => {
    await mails.program.setOwners(["ann@example.com"]);
    const jane = await mails.program.affiliate("jane@example.com");
    const payout_email = "money@example.com";
    // That is of other mails.
    const changes = { payout_email, new_paid_referral_notifications: false };
    await updateAffiliate(mails.program.context, { id: jane.id, ...changes });
    const { id } = await mails.program.refer(jane);
    await mails.program.pay(id);
    await mails.program.pay(id);
    const ids = await mails.program.runPayouts();
    await process(ids);
    expect(await mailStates(mails.test.database)).toEqual([]);
    await movePayouts(mails.program.context, { ids, status: "paid" });
    await inKiritimati();
    await mails.test.database`update payouts set status_at = '2026-11-30T23:30:00Z'`;
    const mail = await mails.theMail();
    expect(mail.recipients).toEqual(["jane@example.com"]);
    expect(mail.headers.subject).toBe("Acme paid you $60.00");
    expect(mail.text).toContain("Paid on: December 1, 2026\n");
    expect(mail.text).toContain("Commissions and adjustments: 2\n");
    expect(mail.text).toContain("Paid to: money@example.com\n");
    expect(mail.text).toContain(`Reference: ${ids[0]}`);
    expectSameWords(mail);
  });

  it("is not sent to an affiliate that was erased", async () => {
    const jane = await mails.program.affiliate("jane@example.com");
    await mails.program.pay((await mails.program.refer(jane)).id);
    const ids = await mails.program.runPayouts();
    await process(ids);
    await movePayouts(mails.program.context, { ids, status: "paid" });
    await eraseAffiliate(mails.program.context, jane.id);
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect(await mailStates(mails.test.database)).toMatchObject([
      { kind: "new_paid_referral", state: "dropped" },
      { kind: "payout_paid", state: "dropped" },
    ]);
    // The money comes back: the owners read that nobody can be paid.
    await mails.program.setOwners(["ann@example.com"]);
    await movePayouts(mails.program.context, { ids, status: "failed" });
    await mails.send();
    expect(mails.server.received[0]?.text).toContain("the affiliate has been erased");
  });

  it("is sent to each owner when the payout fails, with the amount and the reason", async () => {
    await mails.program.setOwners(["ann@example.com", "bob@example.org"]);
    const ids = await mails.program.makeProcessingPayouts(1);
    await movePayouts(mails.program.context, { ids, status: "failed", reason: "account closed <b>" });
    await mails.send();
    expect(mails.server.received.map(({ recipients }) => recipients).sort()).toEqual([
      ["ann@example.com"],
      ["bob@example.org"],
    ]);
    for (const mail of mails.server.received) {
      expect(mail.headers.subject).toBe("A payout at Acme failed");
      expect(mail.text).toContain(
        "- $120.00 to Of affiliate-1@example.com for October 2026: account closed <b>\n",
      );
      expect(mail.html).toContain("account closed &lt;b&gt;");
      expectSameWords(mail);
    }
  });

  it("summarizes a thousand failed payouts for each owner once", async () => {
    await mails.program.setOwners(["ann@example.com", "bob@example.org"]);
    const ids = await mails.program.makeProcessingPayouts(1000);
    await movePayouts(mails.program.context, { ids, status: "failed" });
    await mails.send();
    expect(mails.server.received).toHaveLength(2);
    for (const mail of mails.server.received) {
      expect(mail.headers.subject).toBe("1,000 payouts at Acme failed");
      expect(mail.text.match(/^- \$120\.00 to /gm)).toHaveLength(5);
      expect(mail.text).toContain("And 995 more");
      expectSameWords(mail);
    }
  });

  it("combines the failures of one transaction, also with different reasons", async () => {
    await mails.program.setOwners(["ann@example.com"]);
    const ids = await mails.program.makeProcessingPayouts(10);
    await transaction(mails.test.database, async (sql) => {
      for (const [number, id] of ids.slice(0, 7).entries()) {
        const reason = `reason ${number}`;
        await moveLocked(sql, mails.program.organization_id, {
          ids: [id],
          status: "failed",
          reason,
          by: OPERATOR,
        });
      }
    });
    await movePayouts(mails.program.context, { ids: ids.slice(7), status: "failed" });
    await mails.send();
    expect(mails.server.received.map(({ headers }) => headers.subject).sort()).toEqual([
      "3 payouts at Acme failed",
      "7 payouts at Acme failed",
    ]);
    const seven = mails.server.received.find(({ headers }) => headers.subject?.startsWith("7"));
    expect(seven?.text.match(/: reason [0-6]$/gm)).toHaveLength(5);
    expect(seven?.text).toContain("And 2 more");
  });

  it("is sent to each of a thousand affiliates once", async () => {
    const ids = await mails.program.makeProcessingPayouts(1000);
    await movePayouts(mails.program.context, { ids, status: "paid" });
    const [row] = await mails.test.database`
      select count(*)::int as mails, count(distinct affiliate_id)::int as affiliates from mails where state = 'due'`;
    expect(row).toEqual({ mails: 1000, affiliates: 1000 });
  });

  it("is not sent about canceled payouts or to former owners", async () => {
    await mails.program.setOwners(["ann@example.com"]);
    const [canceled = "", failed = ""] = await mails.program.makeProcessingPayouts(2);
    await movePayouts(mails.program.context, { ids: [canceled], status: "canceled" });
    expect(await mailStates(mails.test.database)).toEqual([]);
    await movePayouts(mails.program.context, { ids: [failed], status: "failed" });
    await mails.program.setOwners(["bob@example.com"]);
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect(await mailStates(mails.test.database)).toMatchObject([
      { kind: "payouts_failed", state: "dropped" },
    ]);
  });
});

describe("a mail about a payout run that waits", () => {
  const as = (id: string) => ({ ...mails.program.context, actor: { kind: "user" as const, id } });

  async function setRole(email: string, role: "admin" | "viewer"): Promise<void> {
    await mails.test.database`
      update members set role = ${role} where organization_id = ${mails.program.organization_id}
        and user_id = ${await userOf(email)}`;
  }

  async function userOf(email: string): Promise<string> {
    const [user] = await mails.test.database<[{ id: string }]>`select id from users where email = ${email}`;
    return user.id;
  }

  /** Ann starts a run of 30 dollars, above the amount of the policy. Returns its id. */
  async function startWaiting(): Promise<string> {
    await mails.program.setOwners(["ann", "bob", "kim", "lee"].map((name) => `${name}@example.com`));
    await setRole("kim@example.com", "admin");
    await setRole("lee@example.com", "viewer");
    const jane = await mails.program.affiliate("jane@example.com");
    await updateAffiliate(mails.program.context, { id: jane.id, new_paid_referral_notifications: false });
    await mails.program.pay((await mails.program.refer(jane)).id);
    await upsertSecurityPolicy(mails.test.database, mails.program.organization_id, {
      second_factor_required: false,
      session_hours: null,
      idle_minutes: null,
      key_networks: [],
      staff_networks: [],
      approval_amounts: { USD: "1" },
    });
    const { id } = await startPayoutRun(as(await userOf("ann@example.com")), { method: "manual" });
    return id;
  }

  it("is sent to each owner and admin but the one who started it", async () => {
    const id = await startWaiting();
    await inKiritimati();
    await mails.test.database`update payout_runs set created_at = '2026-11-30T23:30:00Z' where id = ${id}`;
    await mails.send();
    expect(mails.server.received.flatMap(({ recipients }) => recipients).sort()).toEqual([
      "bob@example.com",
      "kim@example.com",
    ]);
    for (const mail of mails.server.received) {
      expect(mail.headers.subject).toBe("A payout run at Acme is waiting for your approval");
      expect(mail.text).toContain("- $30.00 in 1 payout\n");
      expect(mail.text).toMatch(/^Started: December 1, 2026 at 1:30\sPM Line Islands Time$/m);
      expect(mail.text).toMatch(
        new RegExp(`https://partners.example.com/findersfee/o/[a-z0-9-]+/payouts/runs/${id}`),
      );
      expectSameWords(mail);
    }
  });

  it("is not sent once the run was decided, or to somebody who can no longer approve it", async () => {
    const id = await startWaiting();
    const { database } = mails.test;
    await setRole("kim@example.com", "viewer");
    await mails.send();
    expect(mails.server.received.flatMap(({ recipients }) => recipients)).toEqual(["bob@example.com"]);
    await database`update mails set state = 'due', due_at = now(), finished_at = null`;
    await declinePayoutRun(as(await userOf("bob@example.com")), { id, reason: "Too early" });
    await mails.send();
    expect(mails.server.received).toHaveLength(1);
    expect(await mailStates(database)).toMatchObject([{ state: "dropped" }, { state: "dropped" }]);
  });
});

it("sends no mail about a change that was rolled back", async () => {
  const jane = await mails.program.affiliate("jane@example.com");
  await mails.program.setOwners(["ann@example.com"]);
  const [id = ""] = await mails.program.makeProcessingPayouts(1);
  const undone = transaction(mails.test.database, async (sql) => {
    await moveLocked(sql, mails.program.organization_id, {
      ids: [id],
      status: "failed",
      reason: null,
      by: OPERATOR,
    });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await mails.program.refer(jane);
  expect(await mailStates(mails.test.database)).toEqual([]);
});
