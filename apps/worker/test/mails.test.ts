import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { updateCommission } from "@findersfee/domain/commissions/update";
import { readUnsubscribeToken, unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import { changeOrganization } from "@findersfee/domain/organizations/change";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MailServer, type ReceivedMail } from "./mail-server.ts";
import { expectSameWords, FROM, mailSender, mailStates, Program, PUBLIC_URL } from "./mailing.ts";
import { SECRETS_KEY } from "./subscriptions.ts";

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

describe("about a new paid referral", () => {
  it("notifies the affiliate once, in text and HTML, with an unsubscribe link", async () => {
    const jane = await program.affiliate("jane@example.com");
    const referral_id = await program.convert(jane, "customer@example.org");
    await program.pay(referral_id);
    const mail = await theMail();
    await sender.send();
    expect(server.received).toHaveLength(1);
    expect(mail).toMatchObject({ sender: "findersfee@mail.example.com", recipients: ["jane@example.com"] });
    expect(mail.headers).toMatchObject({
      from: FROM,
      to: "jane@example.com",
      subject: "You earned $30.00 with Acme",
      "auto-submitted": "auto-generated",
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    });
    expect(mail.headers["message-id"]).toMatch(/^<[0-9a-f-]{36}@mail\.example\.com>$/);
    const url = /^<(.*)>$/.exec(mail.headers["list-unsubscribe"] ?? "")?.[1] ?? "";
    expect(mail.text).toContain(`Turn off these emails: ${url}`);
    expect(mail.html).toContain(`href="${url}"`);
    const token = url.slice(`${PUBLIC_URL}/unsubscribe/`.length);
    expect(readUnsubscribeToken(unsubscribeKey(SECRETS_KEY), token)).toEqual({
      organization_id: program.organization_id,
      affiliate_id: jane.id,
    });
    for (const part of [mail.text, mail.html]) {
      for (const fact of ["Hello jane,", "customer@example.org", "$30.00", "Partners", "January 17, 2026"])
        expect(part).toContain(fact);
    }
    expectSameWords(mail);
    expect(mail.html).not.toMatch(/<img|src=|@import|url\(/);
    expect(await mailStates(test.database)).toEqual([
      { kind: "new_paid_referral", state: "sent", failures: 0, reason: null },
    ]);
  });

  it("skips affiliates who turned notifications off before the payment or before the mail", async () => {
    const jane = await program.affiliate("jane@example.com");
    const off = { id: jane.id, new_paid_referral_notifications: false };
    await updateAffiliate(program.context, off);
    await program.convert(jane);
    expect(await mailStates(test.database)).toEqual([]);
    await updateAffiliate(program.context, { ...off, new_paid_referral_notifications: true });
    await program.convert(jane);
    await updateAffiliate(program.context, off);
    await sender.send();
    expect(server.received).toEqual([]);
    expect(await mailStates(test.database)).toMatchObject([{ state: "dropped", failures: 0 }]);
  });

  it("skips banned affiliates and commissions that were voided before the mail", async () => {
    const jane = await program.affiliate("jane@example.com");
    const bob = await program.affiliate("bob@example.com");
    await program.convert(jane);
    await program.convert(bob);
    await updateAffiliate(program.context, { id: jane.id, banned: true });
    const [earned] = await test.database<
      [{ id: string }]
    >`select id from commissions where affiliate_id = ${bob.id}`;
    await updateCommission(program.context, { id: earned.id, payout_status: "voided" });
    await sender.send();
    expect(server.received).toEqual([]);
    expect((await mailStates(test.database)).map(({ reason }) => reason).sort()).toEqual([
      "the affiliate is banned",
      "the commission was voided",
    ]);
  });

  it("shows part of the customer's email if the campaign hides it", async () => {
    await updateCampaign(program.context, { id: program.campaign_id, hide_emails: true });
    await program.convert(await program.affiliate("jane@example.com"), "customer@example.org");
    const { text, html } = await theMail();
    for (const part of [text, html]) {
      expect(part).toContain("c***@example.org");
      expect(part).not.toContain("customer@example.org");
    }
  });

  it("has answers go to the organization's address for them", async () => {
    await changeOrganization(program.context, { support_email: "partners@acme.example" });
    await program.convert(await program.affiliate("jane@example.com"));
    expect((await theMail()).headers["reply-to"]).toBe("partners@acme.example");
  });

  it("names the website if the service has no public URL", async () => {
    const without = mailSender(test, server, { public_url: null });
    await program.convert(await program.affiliate("jane@example.com"));
    await without.send();
    await without.close();
    const mail = await theMail();
    expect(mail.headers).not.toHaveProperty("list-unsubscribe");
    expect(mail.headers).not.toHaveProperty("list-unsubscribe-post");
    expect(mail.text).toContain("To turn off these emails, write to Acme (https://example.com).");
    expectSameWords(mail);
  });

  it("offers one-click unsubscribe only over https", async () => {
    const plain = mailSender(test, server, { public_url: "http://127.0.0.1:3000" });
    await program.convert(await program.affiliate("jane@example.com"));
    await plain.send();
    await plain.close();
    const { headers } = await theMail();
    expect(headers["list-unsubscribe"]).toContain("<http://127.0.0.1:3000/unsubscribe/");
    expect(headers).not.toHaveProperty("list-unsubscribe-post");
  });
});

describe("about an approval", () => {
  it("notifies the affiliate once, with the campaign's text and the affiliate's link", async () => {
    const jane = await program.affiliate("jane@example.com", false);
    for (const approved of [true, false, true]) {
      await updateAffiliate(program.context, { id: jane.id, approved });
    }
    const mail = await theMail();
    expect(mail.recipients).toEqual(["jane@example.com"]);
    expect(mail.headers.subject).toBe("Welcome to Acme's affiliate program");
    expect(mail.text).toContain("> Welcome!\n>\n> Ask <ann@example.com> & enjoy.\n");
    expect(mail.html).toContain("Welcome!<br><br>Ask &lt;ann@example.com&gt; &amp; enjoy.</div>");
    const [link] = jane.links;
    expect(mail.text).toContain(`Your link: ${link?.url}`);
    expect(mail.html).toContain(`<a href="${link?.url}"`);
    expectSameWords(mail);
    expect(mail.headers).not.toHaveProperty("list-unsubscribe");
  });

  it("skips affiliates who were approved on creation or are not approved now", async () => {
    await program.affiliate("jane@example.com", true);
    const bob = await program.affiliate("bob@example.com", false);
    await updateAffiliate(program.context, { id: bob.id, approved: true });
    await updateAffiliate(program.context, { id: bob.id, approved: false });
    await sender.send();
    expect(server.received).toEqual([]);
    expect(await mailStates(test.database)).toMatchObject([{ kind: "affiliate_approved", state: "dropped" }]);
  });

  it("omits a welcome text that the campaign lacks", async () => {
    await updateCampaign(program.context, { id: program.campaign_id, welcome_message: null });
    const jane = await program.affiliate("jane@example.com", false);
    await updateAffiliate(program.context, { id: jane.id, approved: true });
    const mail = await theMail();
    expect(mail.html).not.toContain('class="quote"');
    expectSameWords(mail);
  });
});

it("escapes names in markup, lines and headers", async () => {
  const jane = await program.affiliate("jane@example.com", false);
  const bad = `<script>alert(1)</script>"'&\r\nBcc: eve@example.net\r\n\r\n\u202eevil`;
  await test.database`update affiliates set first_name = ${bad} where id = ${jane.id}`;
  await test.database`update organizations set name = ${bad} where id = ${program.organization_id}`;
  await test.database`update campaigns set welcome_message = ${`${bad}\n<img src=x>`}, name = ${bad}
    where organization_id = ${program.organization_id}`;
  await updateAffiliate(program.context, { id: jane.id, approved: true });
  const mail = await theMail();
  expect(mail.recipients).toEqual(["jane@example.com"]);
  expect(mail.headers).not.toHaveProperty("bcc");
  expect(mail.headers.subject).toContain(
    "<script>alert(1)</script>\"'& Bcc: eve@example.net evil's affiliate program",
  );
  expect(mail.text).not.toMatch(/^(?!> )Bcc/m);
  expect(mail.html).not.toMatch(/<script|<img|\u202e/);
  expect(mail.html).toContain("Hello &lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; Bcc: eve");
  expect(mail.html).toContain("&lt;img src=x&gt;");
});
