import { transaction } from "@findersfee/database/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { OPERATOR } from "@findersfee/domain/actor";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { moveLocked, movePayouts } from "@findersfee/domain/payouts/move";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MailServer, type ReceivedMail } from "./mail-server.ts";
import { expectSameWords, mailSender, mailStates, Program } from "./mailing.ts";

let test: TestDatabase;
let server: MailServer;
let program: Program;
let sender: ReturnType<typeof mailSender>;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  server = await MailServer.start();
  program = await Program.create(test.database);
  sender = mailSender(test, server);
});

afterEach(async () => {
  await sender.close();
  await server.close();
  await test.database`delete from mails`;
});

/** Sends the due mails and returns the only one. */
async function theMail(): Promise<ReceivedMail> {
  await sender.send();
  const [mail, ...others] = server.received;
  if (mail === undefined) throw new Error("no mail has come");
  expect(others).toEqual([]);
  return mail;
}

describe("a mail about a payout", () => {
  async function process(ids: string[]): Promise<void> {
    await movePayouts(program.context, { ids, status: "processing" });
  }

  it("is sent to the affiliate only when the payout is paid", async () => {
    await program.setOwners(["ann@example.com"]);
    const jane = await program.affiliate("jane@example.com");
    const payout_email = "money@example.com";
    // That is of other mails.
    const changes = { payout_email, new_paid_referral_notifications: false };
    await updateAffiliate(program.context, { id: jane.id, ...changes });
    const { id } = await program.refer(jane);
    await program.pay(id);
    await program.pay(id);
    const ids = await program.runPayouts();
    await process(ids);
    expect(await mailStates(test.database)).toEqual([]);
    await movePayouts(program.context, { ids, status: "paid" });
    const mail = await theMail();
    expect(mail.recipients).toEqual(["jane@example.com"]);
    expect(mail.headers.subject).toBe("Acme has paid you $60.00");
    expect(mail.text).toContain("Commissions: 2\n");
    expect(mail.text).toContain("Paid to: money@example.com\n");
    expect(mail.text).toContain(`Reference: ${ids[0]}`);
    expectSameWords(mail);
  });

  it("is not sent to an affiliate that was erased", async () => {
    const jane = await program.affiliate("jane@example.com");
    await eraseAffiliate(program.context, jane.id);
    await program.pay((await program.refer(jane)).id);
    const ids = await program.runPayouts();
    await process(ids);
    await movePayouts(program.context, { ids, status: "paid" });
    await sender.send();
    expect(server.received).toEqual([]);
    expect(await mailStates(test.database)).toMatchObject([{ state: "dropped" }]);
  });

  it("is sent to each owner when the payout fails, with the amount and the reason", async () => {
    await program.setOwners(["ann@example.com", "bob@example.org"]);
    const ids = await program.makeProcessingPayouts(1);
    await movePayouts(program.context, { ids, status: "failed", reason: "account closed <b>" });
    await sender.send();
    expect(server.received.map(({ recipients }) => recipients).sort()).toEqual([
      ["ann@example.com"],
      ["bob@example.org"],
    ]);
    for (const mail of server.received) {
      expect(mail.headers.subject).toBe("A payout of Acme failed");
      expect(mail.text).toContain(
        "- $120.00 to Of affiliate-1@example.com for October 2026: account closed <b>\n",
      );
      expect(mail.html).toContain("account closed &lt;b&gt;");
      expectSameWords(mail);
    }
  });

  it("summarizes a thousand failed payouts for each owner once", async () => {
    await program.setOwners(["ann@example.com", "bob@example.org"]);
    const ids = await program.makeProcessingPayouts(1000);
    await movePayouts(program.context, { ids, status: "failed" });
    await sender.send();
    expect(server.received).toHaveLength(2);
    for (const mail of server.received) {
      expect(mail.headers.subject).toBe("1,000 payouts of Acme failed");
      expect(mail.text.match(/^- \$120\.00 to /gm)).toHaveLength(5);
      expect(mail.text).toContain("And 995 more");
      expectSameWords(mail);
    }
  });

  it("combines the failures of one transaction, also with different reasons", async () => {
    await program.setOwners(["ann@example.com"]);
    const ids = await program.makeProcessingPayouts(10);
    await transaction(test.database, async (sql) => {
      for (const [number, id] of ids.slice(0, 7).entries()) {
        const reason = `reason ${number}`;
        await moveLocked(sql, program.organization_id, { ids: [id], status: "failed", reason, by: OPERATOR });
      }
    });
    await movePayouts(program.context, { ids: ids.slice(7), status: "failed" });
    await sender.send();
    expect(server.received.map(({ headers }) => headers.subject).sort()).toEqual([
      "3 payouts of Acme failed",
      "7 payouts of Acme failed",
    ]);
    const seven = server.received.find(({ headers }) => headers.subject?.startsWith("7"));
    expect(seven?.text.match(/: reason [0-6]$/gm)).toHaveLength(5);
    expect(seven?.text).toContain("And 2 more");
  });

  it("is sent to each of a thousand affiliates once", async () => {
    const ids = await program.makeProcessingPayouts(1000);
    await movePayouts(program.context, { ids, status: "paid" });
    const [row] = await test.database`
      select count(*)::int as mails, count(distinct affiliate_id)::int as affiliates from mails where state = 'due'`;
    expect(row).toEqual({ mails: 1000, affiliates: 1000 });
  });

  it("is not sent about canceled payouts or to former owners", async () => {
    await program.setOwners(["ann@example.com"]);
    const [canceled = "", failed = ""] = await program.makeProcessingPayouts(2);
    await movePayouts(program.context, { ids: [canceled], status: "canceled" });
    expect(await mailStates(test.database)).toEqual([]);
    await movePayouts(program.context, { ids: [failed], status: "failed" });
    await program.setOwners(["bob@example.com"]);
    await sender.send();
    expect(server.received).toEqual([]);
    expect(await mailStates(test.database)).toMatchObject([{ kind: "payouts_failed", state: "dropped" }]);
  });
});

it("sends no mail about a change that was rolled back", async () => {
  const jane = await program.affiliate("jane@example.com");
  await program.setOwners(["ann@example.com"]);
  const [id = ""] = await program.makeProcessingPayouts(1);
  const undone = transaction(test.database, async (sql) => {
    await moveLocked(sql, program.organization_id, {
      ids: [id],
      status: "failed",
      reason: null,
      by: OPERATOR,
    });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await program.refer(jane);
  expect(await mailStates(test.database)).toEqual([]);
});
