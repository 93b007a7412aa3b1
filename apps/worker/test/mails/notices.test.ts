/* Mails to owners and admins about waiting items: at once, daily, or never. */

import type { UpdateNotifications } from "@findersfee/contract/mails";
import { insertNotices } from "@findersfee/database/mails/notices";
import { setNotification } from "@findersfee/database/mails/notifications";
import { transaction } from "@findersfee/database/postgres/connect";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { createAffiliate } from "@findersfee/domain/affiliates/create";
import { declineAffiliates } from "@findersfee/domain/affiliates/decline";
import { createUser } from "@findersfee/domain/identity/users/create";
import { writeDigests } from "@findersfee/domain/mails/notices/digests";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { claim } from "@findersfee/domain/testing/customers/claims/program";
import { beforeEach, describe, expect, it } from "vitest";
import { expectSameWords, hurryMails, mailStates, PUBLIC_URL } from "../mailing.ts";
import { beforeEachInMailProgram, type MailProgram } from "./mail-program.ts";

const ANN = "ann@example.com";

let mails: MailProgram;
let slug: string;

beforeEachInMailProgram((made) => {
  mails = made;
});

beforeEach(async () => {
  const { test, program } = mails;
  await program.setOwners([ANN]);
  const [row] = await test.database<{ slug: string }[]>`
    update organizations set time_zone = 'UTC' where id = ${program.organization_id} returning slug`;
  slug = row?.slug ?? "";
});

async function choose(email: string, changes: UpdateNotifications): Promise<void> {
  const { test, program } = mails;
  const [user] = await test.database<{ id: string }[]>`select id from users where email = ${email}`;
  for (const [topic, frequency] of Object.entries(changes)) {
    const chosen = { user_id: user?.id ?? "", topic, frequency } as Parameters<typeof setNotification>[2];
    await setNotification(test.database, program.organization_id, chosen);
  }
}

async function apply(name: string): Promise<string> {
  const { id } = await mails.program.affiliate(`${name}@example.org`, false);
  return id;
}

const subjects = () => mails.server.received.map(({ headers }) => headers.subject);

const due = () => mails.test.database<{ is_due: boolean; minutes: number }[]>`
  select due_at <= now() as is_due, extract(epoch from due_at - now())::float8 / 60 as minutes
  from mails where state = 'due' order by due_at`;

describe("a notice at once", () => {
  beforeEach(() => choose(ANN, { applications: "at_once" }));

  it("names who waits, and leads there", async () => {
    await apply("jane");
    const mail = await mails.theMail();
    expect(mail.recipients).toEqual([ANN]);
    expect(mail.headers.subject).toBe("Acme: 1 application is waiting for a decision");
    expect(mail.headers.from).toBe("Findersfee <findersfee@mail.example.com>");
    expect(mail.text).toContain("- jane Doe (jane@example.org), for Partners\n");
    expect(mail.text).toContain(`Review applications: ${PUBLIC_URL}/o/${slug}/affiliates/waiting`);
    expect(mail.text).toContain(`${PUBLIC_URL}/o/${slug}/settings/notifications`);
    expect(mail.text).toContain("Turn off emails about applications:");
    const link = mail.headers["list-unsubscribe"] ?? "";
    expect(mail.text).toContain(link.slice(1, -1));
    expect(mail.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
    expectSameWords(mail);
  });

  it.each(LOST_ANSWERS)(
    "is written with the application, or not at all, when a call fails (%s)",
    async (kind) => {
      await failEachCall(mails.test.url, kind, async (database, number) => {
        await mails.test.database`delete from mails`;
        const email = `${kind}-${number}@example.org`;
        await createAffiliate({ ...mails.program.context, database }, { email, approved: false }).catch(
          () => null,
        );
        const added = await mails.test.database`select from affiliates where email = ${email}`;
        expect(await due()).toHaveLength(added.length);
      });
    },
  );

  it("is one for a burst, and has all that came until it was sent", async () => {
    for (let number = 0; number < 60; number += 1) await apply(`affiliate-${number}`);
    const rows = await due();
    expect(rows.filter(({ is_due }) => is_due)).toHaveLength(1);
    await mails.send();
    expect(subjects()).toEqual(["Acme: 60 applications are waiting for a decision"]);
    expect(mails.server.received[0]?.text.match(/^- affiliate/gm)).toHaveLength(5);
    expect(mails.server.received[0]?.text).toContain("And 55 more.");
    // The second mail of the burst has nothing more to say.
    await hurryMails(mails.test.database);
    await mails.send();
    expect(mails.server.received).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it("comes at most once in 15 minutes, with those who came since first", async () => {
    await apply("ann");
    await mails.send();
    await apply("bob");
    await apply("cid");
    await mails.send();
    expect(mails.server.received).toHaveLength(1);
    const [next] = await due();
    expect(next?.minutes).toBeGreaterThan(13);
    expect(next?.minutes).toBeLessThanOrEqual(15.1);
    await hurryMails(mails.test.database);
    await mails.send();
    expect(subjects()).toEqual([
      "Acme: 1 application is waiting for a decision",
      "Acme: 3 applications are waiting for a decision",
    ]);
    expect(mails.server.received[1]?.text).toMatch(/- cid.*\n- bob.*\n- ann/);
  });

  it("follows for a change that is committed after the last one was sent", async () => {
    await apply("ann");
    const { database } = mails.test;
    await transaction(database, async (sql) => {
      const [{ id } = { id: "" }] = await sql<{ id: string }[]>`
        insert into affiliates
        select (jsonb_populate_record(affiliates, jsonb_build_object(
          'id', '00000000-0000-7000-8000-000000000001', 'email', 'early@example.org'))).*
        from affiliates where organization_id = ${mails.program.organization_id} returning id`;
      expect(id).not.toBe("");
      await insertNotices(sql, mails.program.organization_id, "applications");
      await mails.send();
      expect(subjects()).toEqual(["Acme: 1 application is waiting for a decision"]);
    });
    expect(await due()).toHaveLength(1);
    await hurryMails(database);
    await mails.send();
    expect(subjects()[1]).toBe("Acme: 2 applications are waiting for a decision");
    expect(mails.server.received[1]?.text).toMatch(/- .*early@example.org.*\n- ann/);
  });

  it("is not sent if nobody waits any more, or the reader has another role or choice", async () => {
    await createUser(mails.test.database, {
      name: "Bob",
      email: "bob@example.com",
      organization_id: mails.program.organization_id,
      role: "admin",
    });
    await choose("bob@example.com", { applications: "at_once" });
    const id = await apply("jane");
    await mails.test.database`update members set role = 'viewer' where user_id = (
      select id from users where email = 'bob@example.com')`;
    await choose(ANN, { applications: "never" });
    await mails.send();
    const reasons = (await mailStates(mails.test.database)).map(({ reason }) => reason).sort();
    expect(reasons).toEqual([
      "the address no longer belongs to an owner or admin",
      "the person does not want these mails at once any more",
    ]);
    await choose(ANN, { applications: "at_once" });
    await declineAffiliates(mails.program.context, { ids: [id], reason: null, mail: false });
    await insertNotices(mails.test.database, mails.program.organization_id, "applications");
    await hurryMails(mails.test.database);
    await mails.send();
    expect(mails.server.received).toEqual([]);
  });

  it("has no name with an address in it", async () => {
    const id = await apply("jane");
    await mails.test.database`
      update affiliates set first_name = 'Win at', last_name = 'https://evil.example' where id = ${id}`;
    const mail = await mails.theMail();
    expect(mail.text).not.toContain("evil.example");
    expect(mail.text).toContain("- jane@example.org, for Partners\n");
  });
});

describe("notices of other topics", () => {
  it("name missing sales with their affiliates", async () => {
    await choose(ANN, { claims: "at_once" });
    const jane = await mails.program.affiliate("jane@example.org");
    await claim(mails.program.context, jane.id);
    const mail = await mails.theMail();
    expect(mail.headers.subject).toBe("Acme: 1 missing sale is waiting for a decision");
    expect(mail.text).toMatch(/- jane Doe \(jane@example.org\), paid on [A-Z][a-z]+ \d{1,2}, \d{4}\n/);
    expectSameWords(mail);
  });

  it("go to nobody by default, and to no viewer", async () => {
    await createUser(mails.test.database, {
      name: "Vera",
      email: "vera@example.com",
      organization_id: mails.program.organization_id,
      role: "viewer",
    });
    await apply("jane");
    await insertNotices(mails.test.database, mails.program.organization_id, "connections");
    expect(await mails.test.database`select kind, recipient from mails`).toEqual([
      { kind: "connections_failed", recipient: ANN },
    ]);
  });
});

describe("the mail about failed payouts", () => {
  it("goes to those who want it at once", async () => {
    await mails.program.setOwners([ANN, "bob@example.com"]);
    await choose("bob@example.com", { payouts: "daily" });
    const ids = await mails.program.makeProcessingPayouts(1);
    await movePayouts(mails.program.context, { ids, status: "failed" });
    const mail = await mails.theMail();
    expect(mail.recipients).toEqual([ANN]);
    expect(mail.text).toContain("Turn off emails about failed payouts:");
  });
});

describe("the daily digest", () => {
  const DAY = 24 * 60 * 60_000;
  let morning: Date;

  beforeEach(async () => {
    // Digests are written for all organizations, including other tests'.
    const { organization_id } = mails.program;
    await mails.test.database`delete from members where organization_id <> ${organization_id}`;
    morning = new Date(`${new Date().toISOString().slice(0, 10)}T08:00:00Z`);
  });

  const write = (day: number, hours = 0) =>
    writeDigests(mails.test.database, new Date(morning.getTime() + day * DAY + hours * 3_600_000));

  it("has all that waits, once a day from the morning of the organization on", async () => {
    await choose(ANN, { payouts: "daily" });
    await mails.test.database`
      update organizations set time_zone = 'America/New_York' where id = ${mails.program.organization_id}`;
    for (const name of ["ann", "bob", "cid", "dan", "eve", "fay"]) await apply(name);
    const jane = await mails.program.affiliate("jane@example.org");
    await claim(mails.program.context, jane.id);
    const ids = await mails.program.makeProcessingPayouts(1);
    await movePayouts(mails.program.context, { ids, status: "failed", reason: "account closed" });
    // It is night there.
    expect(await write(0)).toBe(0);
    expect(await write(0, 5)).toBe(1);
    expect(await write(0, 6)).toBe(0);
    const mail = await mails.theMail();
    expect(mail.headers.subject).toBe("Acme: 6 applications, 1 missing sale, and 1 failed payout");
    expect(mail.text).toContain("6 applications are waiting for a decision:\n\n- fay Doe");
    expect(mail.text).toContain("And 1 more.");
    expect(mail.text).toContain(`Review missing sales: ${PUBLIC_URL}/o/${slug}/claims`);
    expect(mail.text).toContain("$120.00 to Of affiliate-1@example.com for October 2026: account closed");
    expect(mail.text).toContain("Turn off the daily email:");
    expectSameWords(mail);
  });

  it("comes while somebody waits for a decision, and tells of failures once", async () => {
    await choose(ANN, { payouts: "daily" });
    const ids = await mails.program.makeProcessingPayouts(1);
    await movePayouts(mails.program.context, { ids, status: "failed" });
    await write(0);
    await mails.send();
    await write(1);
    await mails.send();
    expect(subjects()).toEqual(["Acme: 1 failed payout"]);
    const id = await apply("jane");
    for (const day of [2, 3]) {
      await write(day);
      await mails.send();
    }
    expect(subjects().slice(1)).toEqual(Array(2).fill("Acme: 1 application and 1 failed payout"));
    await declineAffiliates(mails.program.context, { ids: [id], reason: null, mail: false });
    await write(4);
    await mails.send();
    expect(mails.server.received).toHaveLength(3);
  });

  it("is not written if nothing waits, or for those who do not want it", async () => {
    expect(await write(0)).toBe(0);
    await choose(ANN, { applications: "never" });
    await apply("jane");
    expect(await write(1)).toBe(0);
    expect(await mailStates(mails.test.database)).toEqual([]);
  });

  it("comes later in the day if no worker ran in the morning, and once after an outage of days", async () => {
    await apply("jane");
    expect(await write(0, 11)).toBe(1);
    expect(await write(1)).toBe(1);
    await mails.send();
    expect(mails.server.received).toHaveLength(1);
    const reasons = (await mailStates(mails.test.database)).map(({ reason }) => reason).sort();
    expect(reasons).toEqual(["a later mail has the same", null].sort());
  });

  it.each(LOST_ANSWERS)("is written once when a call fails (%s)", async (kind) => {
    await apply("jane");
    let day = 0;
    await failEachCall(mails.test.url, kind, async (database) => {
      day += 1;
      await mails.test.database`delete from mails`;
      const now = new Date(morning.getTime() + day * DAY);
      await writeDigests(database, now).catch(() => null);
      await writeDigests(mails.test.database, now);
      expect(await due()).toHaveLength(1);
    });
    expect(day).toBeGreaterThan(1);
  });
});
