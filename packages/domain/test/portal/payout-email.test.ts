import { setPortalLanguage } from "@findersfee/database/portal/joining";
import { deleteOldPayoutEmailChanges } from "@findersfee/database/portal/payout-email-changes";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { banAffiliates } from "../../src/ban-affiliates.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { newId } from "../../src/ids.ts";
import { composePayoutEmailChanged, composePayoutEmailCode } from "../../src/mails/compose-payout-email.ts";
import { type CodeKind, mailedCode } from "../../src/portal/mailed-code.ts";
import { getOwnSettings } from "../../src/portal/own-settings.ts";
import { clearPayoutEmail, confirmPayoutEmail, requestPayoutEmail } from "../../src/portal/payout-email.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { addPartner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { makePayoutContext } from "../ledger/program.ts";
import { sessionOf } from "./own-session.ts";

const secrets_key = Buffer.alloc(32, 7);
const OWNERS = "sign-in codes of payout emails";
const SIGN_IN = "jane@example.com";
const FORMER = "former@bank.example";
let test: TestDatabase;
let context: CreationContext;
let session: AffiliateSession;
let addresses = 0;
/** Requests of one address are limited in all organizations. */
let next_email: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  session = await addJane();
  addresses += 1;
  next_email = `next${addresses}@bank.example`;
});

let people = 1;

async function addJane(email = SIGN_IN): Promise<AffiliateSession> {
  const { affiliate_id } = await addPartner(
    context,
    { name: `Program ${people++}` },
    { email, payout_email: FORMER },
  );
  return await sessionOf(context, affiliate_id);
}

const acting = (database = test.database) => ({ database, notifyWorkers: () => {}, secrets_key });
const request = (email = next_email, by = session) => requestPayoutEmail(acting(), by, email);
/** With the right code of the sign-in address. */
const confirm = async (code: string, by = session, database = test.database) =>
  confirmPayoutEmail(acting(database), by, { code, sign_in_code: await codeOf(by, OWNERS) });

async function changesOf({ affiliate_id }: AffiliateSession) {
  return await test.database<{ id: string; used_at: Date | null }[]>`
    select id, used_at from payout_email_changes where affiliate_id = ${affiliate_id} order by id desc`;
}

async function codeOf(of = session, kind: CodeKind = "payout email codes"): Promise<string> {
  const [change] = await changesOf(of);
  return mailedCode(secrets_key, change?.id ?? "", kind);
}

async function payoutEmailOf({ organization, affiliate_id }: AffiliateSession): Promise<string | null> {
  const [row] = await test.database<[{ payout_email: string | null }]>`
    select payout_email from affiliates where organization_id = ${organization.id} and id = ${affiliate_id}`;
  return row.payout_email;
}

const mails = async () =>
  await test.database<{ kind: string; recipient: string; about: string }[]>`
    select kind, recipient, about from mails
    where organization_id = ${context.organization.id} and kind like 'payout_email%' order by kind, recipient`;

const recipientsOf = async (kind: string) =>
  (await mails()).filter((mail) => mail.kind === kind).map(({ recipient }) => recipient);

describe("another payout email", () => {
  it("counts once its code is entered, and the former addresses are told", async () => {
    const { expires_at } = await request();
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(await payoutEmailOf(session)).toBe(FORMER);
    expect(await getOwnSettings(test.database, session)).toMatchObject({
      payout_email: FORMER,
      pending_payout_email: next_email,
    });
    expect(await recipientsOf("payout_email_code")).toEqual([SIGN_IN, next_email]);
    await confirm(await codeOf());
    expect(await payoutEmailOf(session)).toBe(next_email);
    expect(await getOwnSettings(test.database, session)).toMatchObject({ pending_payout_email: null });
    expect(await recipientsOf("payout_email_changed")).toEqual([FORMER, SIGN_IN]);
    const entries = (await history(context)).filter(
      ({ resource, action }) => resource === "affiliate" && action === "updated",
    );
    expect(entries.at(-1)).toMatchObject({ after: { payouts_held: true } });
    expect(entries.slice(0, -1)).toMatchObject([
      {
        actor: `affiliate ${session.affiliate_id}`,
        before: { payout_email: FORMER },
        after: { payout_email: next_email },
      },
    ]);
  });

  it("of an affiliate without one is told to the sign-in address alone", async () => {
    await updateAffiliate(context, { id: session.affiliate_id, payout_email: null });
    await request();
    await confirm(await codeOf());
    expect(await recipientsOf("payout_email_changed")).toEqual([SIGN_IN]);
  });

  it("needs the code of the sign-in address, too, which a stolen session does not have", async () => {
    await request();
    const code = await codeOf();
    const owners = await codeOf(session, OWNERS);
    expect(owners).not.toBe(code);
    for (const sign_in_code of [undefined, code]) {
      await expect(confirmPayoutEmail(acting(), session, { code, sign_in_code })).rejects.toMatchObject({
        code: "code_invalid",
      });
    }
    expect(await payoutEmailOf(session)).toBe(FORMER);
    await confirmPayoutEmail(acting(), session, { code, sign_in_code: owners });
    expect(await payoutEmailOf(session)).toBe(next_email);
  });

  it("is confirmed by one code if it is the sign-in address", async () => {
    await request(SIGN_IN.toUpperCase());
    expect(await recipientsOf("payout_email_code")).toEqual([SIGN_IN.toUpperCase()]);
    await confirmPayoutEmail(acting(), session, { code: await codeOf() });
    expect(await payoutEmailOf(session)).toBe(SIGN_IN.toUpperCase());
  });

  it("is refused if it was that of a banned affiliate who was erased, and says nothing of the ban", async () => {
    const banning = { ...context, secrets_key };
    const { affiliate_id } = await addPartner(context, { name: "Joe" }, { payout_email: next_email });
    await banAffiliates(banning, { ids: [affiliate_id], reason: "Fake customers" });
    await eraseAffiliate(banning, affiliate_id);
    await request();
    await expect(confirm(await codeOf())).rejects.toMatchObject({
      code: "code_invalid",
      message: "The program pays nothing to this address. Write to the organization, or use another one.",
      details: { reason: "refused" },
    });
    expect(await payoutEmailOf(session)).toBe(FORMER);
    expect(await recipientsOf("payout_email_changed")).toEqual([]);
  });

  it("is refused with a wrong code, five times", async () => {
    await request();
    const code = await codeOf();
    const wrong = code === "111111" ? "222222" : "111111";
    for (let tries = 0; tries < 5; tries++) {
      await expect(confirm(wrong)).rejects.toMatchObject({ code: "code_invalid", details: undefined });
    }
    await expect(confirm(code)).rejects.toMatchObject({
      code: "code_invalid",
      details: { reason: "expired" },
    });
    expect(await payoutEmailOf(session)).toBe(FORMER);
  });

  it("takes only so many wrong codes a day", async () => {
    const wrong = "000000";
    for (let requests = 0; requests < 4; requests++) {
      await request(`r${requests}-${next_email}`);
      for (let tries = 0; tries < 5; tries++) await confirm(wrong).catch(() => {});
    }
    await request();
    await expect(confirm(await codeOf())).rejects.toMatchObject({ details: { reason: "too_many" } });
  });

  it.each<[string, () => Promise<AffiliateSession | undefined>]>([
    ["used", async () => void (await confirm(await codeOf()))],
    [
      "expired",
      async () => {
        await test.database`update payout_email_changes set expires_at = now() - interval '1 second'`;
        return undefined;
      },
    ],
    ["requested in another session", async () => ({ ...session, session_id: newId(new Date()) })],
    ["of another affiliate", async () => await addJane("joe@example.com")],
    [
      "followed by another request",
      async () => {
        const [first] = await changesOf(session);
        await request(`later-${next_email}`);
        await test.database`update payout_email_changes set session_id = gen_random_uuid() where id <> ${first?.id ?? ""}`;
        return undefined;
      },
    ],
  ])("is refused with a code that was %s", async (_name, prepare) => {
    await request();
    const code = await codeOf();
    const by = (await prepare()) ?? session;
    const before = await payoutEmailOf(by);
    await expect(confirm(code, by)).rejects.toMatchObject({
      code: "code_invalid",
      details: { reason: "expired" },
    });
    expect(await payoutEmailOf(by)).toBe(before);
  });

  it("does not overwrite a change that the organization made in between", async () => {
    await request();
    await updateAffiliate(context, { id: session.affiliate_id, payout_email: "api@bank.example" });
    await expect(confirm(await codeOf())).rejects.toMatchObject({ code: "payout_email_changed" });
    expect(await payoutEmailOf(session)).toBe("api@bank.example");
    expect(await recipientsOf("payout_email_changed")).toEqual([]);
  });

  it("is refused for the present one, and to affiliates who are not active any more", async () => {
    await expect(request(FORMER)).rejects.toMatchObject({ code: "invalid_request" });
    await request();
    const code = await codeOf();
    await updateAffiliate(context, { id: session.affiliate_id, banned: true });
    await expect(request(`other-${next_email}`)).rejects.toMatchObject({ code: "affiliate_not_active" });
    await expect(confirm(code)).rejects.toMatchObject({ code: "affiliate_not_active" });
    expect(await payoutEmailOf(session)).toBe(FORMER);
  });

  it("is asked for five times a day, by an affiliate and for an address", async () => {
    for (let number = 0; number < 5; number++) await request(`n${number}-${next_email}`);
    await expect(request()).rejects.toMatchObject({ code: "rate_limited", retry_after_seconds: 3600 });
    for (let number = 0; number < 5; number++)
      await request(next_email, await addJane(`a${number}@example.com`));
    await expect(request(next_email.toUpperCase(), await addJane("last@example.com"))).rejects.toMatchObject({
      code: "rate_limited",
    });
    // A day later.
    await test.database`update payout_email_changes set created_at = created_at - interval '1 day'`;
    await request();
  });

  it("is changed once by concurrent codes", async () => {
    await request();
    const code = await codeOf();
    const results = await Promise.allSettled([confirm(code), confirm(code), confirm(code)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await recipientsOf("payout_email_changed")).toHaveLength(2);
  });

  it("leaves nothing behind when the affiliate is erased, or its requests are old", async () => {
    await request();
    await confirm(await codeOf());
    await eraseAffiliate(context, session.affiliate_id);
    expect(await changesOf(session)).toEqual([]);
    expect(await mails()).toEqual([]);
    session = await addJane("old@example.com");
    await request(`old-${next_email}`);
    expect(
      await deleteOldPayoutEmailChanges(test.database, {
        before: new Date(Date.now() + 3_600_000),
        limit: 1_000,
      }),
    ).toBeGreaterThan(0);
    expect(await changesOf(session)).toEqual([]);
  });
});

describe("the mails about a payout email", () => {
  const mailOf = (about: string) => ({
    organization_id: context.organization.id,
    organization_name: "Acme",
    support_email: "help@acme.example",
    time_zone: "UTC",
    about,
  });

  it("are in the language of the person, with the code and the way back", async () => {
    await setPortalLanguage(test.database, { email: SIGN_IN, language: "de" });
    await request();
    const [change] = await changesOf(session);
    const code = await codeOf();
    const parts = { sql: test.database, secrets_key, public_url: "https://app.example.com" };
    const codeMail = (recipient: string) =>
      composePayoutEmailCode(parts, { ...mailOf(change?.id ?? ""), recipient });
    expect(JSON.stringify(await codeMail(SIGN_IN))).toContain(next_email);
    expect(await codeMail(SIGN_IN)).toMatchObject({ language: "de", heading: await codeOf(session, OWNERS) });
    expect(await codeMail(next_email)).toMatchObject({
      language: "de",
      subject: `${code} bestätigt Ihre Auszahlungsadresse für Acme`,
      heading: code,
    });
    expect(await composePayoutEmailChanged(parts, mailOf(change?.id ?? ""))).toHaveProperty("dropped");
    await confirm(code);
    expect(await codeMail(next_email)).toHaveProperty("dropped");
    const told = JSON.stringify(await composePayoutEmailChanged(parts, mailOf(change?.id ?? "")));
    for (const text of [
      FORMER,
      next_email,
      "help@acme.example",
      "https://app.example.com/portal/settings",
      "Auszahlungsadresse",
    ]) {
      expect(told).toContain(text);
    }
    await test.database`delete from portal_accounts`;
    expect(await composePayoutEmailChanged(parts, mailOf(change?.id ?? ""))).toMatchObject({
      language: "en",
    });
  });
});

describe("when a database call fails", () => {
  it.each(LOST_ANSWERS)("a request is made whole or not at all: %s", async (kind) => {
    await failEachCall(test.url, kind, async (database, number) => {
      await test.database`delete from payout_email_changes`;
      await test.database`delete from mails`;
      await requestPayoutEmail(acting(database), session, `f${number}-${next_email}`).catch(() => {});
      const stored = (await changesOf(session)).map(({ id }) => id);
      const abouts = (await mails()).map(({ about }) => about);
      expect(abouts).toEqual(stored.flatMap((id) => [id, id]));
      expect(await payoutEmailOf(session)).toBe(FORMER);
    });
  });

  it.each(LOST_ANSWERS)("a change is made whole or not at all: %s", async (kind) => {
    await failEachCall(test.url, kind, async (database, number) => {
      await test.database`delete from payout_email_changes`;
      await test.database`delete from mails`;
      session = await addJane(`faulty${number}-${kind}@example.com`);
      await request(`g${number}-${next_email}`);
      const code = await codeOf();
      await confirm(code, session, database).catch(() => {});
      const [change] = await changesOf(session);
      const is_done = change?.used_at !== null;
      expect(await payoutEmailOf(session)).toBe(is_done ? `g${number}-${next_email}` : FORMER);
      expect(await recipientsOf("payout_email_changed")).toHaveLength(is_done ? 2 : 0);
      if (!is_done) await confirm(code);
      expect(await payoutEmailOf(session)).toBe(`g${number}-${next_email}`);
      expect(await recipientsOf("payout_email_changed")).toHaveLength(2);
      const entries = (await history(context)).filter(
        ({ resource_id, action }) => resource_id === session.affiliate_id && action === "updated",
      );
      // The address, and the hold of payouts.
      expect(entries).toHaveLength(2);
    });
  });
});

describe("the payout email of an affiliate who clears it", () => {
  const emailOf = async () => (await getOwnSettings(test.database, session)).payout_email;

  async function mailsOf() {
    const [change] = await changesOf(session);
    return await test.database<{ recipient: string }[]>`
      select recipient from mails where kind = 'payout_email_changed' and about = ${change?.id ?? ""}
      order by recipient`;
  }

  it("is the sign-in address again, and mails to both addresses say so", async () => {
    await request();
    const code = await codeOf();
    await clearPayoutEmail(acting(), session);
    expect(await emailOf()).toBeNull();
    expect((await mailsOf()).map(({ recipient }) => recipient)).toEqual([FORMER, SIGN_IN]);
    const [change] = await changesOf(session);
    const mail = {
      organization_name: "Acme",
      support_email: null,
      time_zone: "UTC",
      about: change?.id ?? "",
    };
    const composed = await composePayoutEmailChanged(
      { sql: test.database, public_url: null },
      { ...mail, organization_id: context.organization.id },
    );
    expect(JSON.stringify(composed)).toContain(SIGN_IN);
    // A code that was asked for before is not accepted any more, and clearing again changes nothing.
    await expect(confirm(code)).rejects.toMatchObject({ code: "code_invalid" });
    await clearPayoutEmail(acting(), session);
    expect(await changesOf(session)).toHaveLength(2);
  });

  it.each(LOST_ANSWERS)("is cleared with its mails, or not at all, when a call fails (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      await test.database`delete from payout_email_changes where affiliate_id = ${session.affiliate_id}`;
      await updateAffiliate(context, { id: session.affiliate_id, payout_email: FORMER });
      await clearPayoutEmail(acting(database), session).catch(() => null);
      const changes = await changesOf(session);
      expect(changes).toHaveLength((await emailOf()) === null ? 1 : 0);
      if (changes.length > 0) expect(await mailsOf()).toHaveLength(2);
    });
  });
});
