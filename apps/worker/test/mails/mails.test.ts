import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { updateCommission } from "@findersfee/domain/commissions/update";
import { readUnsubscribeToken, unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import { changeOrganization } from "@findersfee/domain/organizations/change";
import { recordPromoCode } from "@findersfee/domain/processors/promo-codes/record-external";
import { describe, expect, it } from "vitest";
import { expectSameWords, mailSender, mailStates, PUBLIC_URL } from "../mailing.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { beforeEachInMailProgram, type MailProgram } from "./mail-program.ts";

let mails: MailProgram;

beforeEachInMailProgram((made) => {
  mails = made;
});

describe("about a new paid referral", () => {
  it("notifies the affiliate once, in text and HTML, with an unsubscribe link", async () => {
    const jane = await mails.program.affiliate("jane@example.com");
    const referral_id = await mails.program.convert(jane, "customer@example.org");
    await mails.program.pay(referral_id);
    const mail = await mails.theMail();
    await mails.send();
    expect(mails.server.received).toHaveLength(1);
    expect(mail).toMatchObject({ sender: "findersfee@mail.example.com", recipients: ["jane@example.com"] });
    expect(mail.headers).toMatchObject({
      // In the name of the organization, by the service's address.
      from: "Acme <findersfee@mail.example.com>",
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
      organization_id: mails.program.organization_id,
      affiliate_id: jane.id,
    });
    for (const part of [mail.text, mail.html]) {
      for (const fact of ["Hello jane,", "customer@example.org", "$30.00", "Partners", "January 17, 2026"])
        expect(part).toContain(fact);
    }
    expectSameWords(mail);
    expect(mail.html).not.toMatch(/<img|src=|@import|url\(/);
    expect(await mailStates(mails.test.database)).toEqual([
      { kind: "new_paid_referral", state: "sent", failures: 0, reason: null },
    ]);
  });

  it("skips affiliates who turned notifications off before the payment or before the mail", async () => {
    const jane = await mails.program.affiliate("jane@example.com");
    const off = { id: jane.id, new_paid_referral_notifications: false };
    await updateAffiliate(mails.program.context, off);
    await mails.program.convert(jane);
    expect(await mailStates(mails.test.database)).toEqual([]);
    await updateAffiliate(mails.program.context, { ...off, new_paid_referral_notifications: true });
    await mails.program.convert(jane);
    await updateAffiliate(mails.program.context, off);
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect(await mailStates(mails.test.database)).toMatchObject([{ state: "dropped", failures: 0 }]);
  });

  it("skips banned affiliates and commissions that were voided before the mail", async () => {
    const jane = await mails.program.affiliate("jane@example.com");
    const bob = await mails.program.affiliate("bob@example.com");
    await mails.program.convert(jane);
    await mails.program.convert(bob);
    await updateAffiliate(mails.program.context, { id: jane.id, banned: true });
    const [earned] = await mails.test.database<
      [{ id: string }]
    >`select id from commissions where affiliate_id = ${bob.id}`;
    await updateCommission(mails.program.context, { id: earned.id, payout_status: "voided" });
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect((await mailStates(mails.test.database)).map(({ reason }) => reason).sort()).toEqual([
      "the affiliate is banned",
      "the commission was voided",
    ]);
  });

  it("shows part of the customer's email if the campaign hides it", async () => {
    await updateCampaign(mails.program.context, { id: mails.program.campaign_id, hide_emails: true });
    await mails.program.convert(await mails.program.affiliate("jane@example.com"), "customer@example.org");
    const { text, html } = await mails.theMail();
    for (const part of [text, html]) {
      expect(part).toContain("c…r@example.org");
      expect(part).not.toContain("customer@example.org");
    }
  });

  it("says that the commission is in review, and no day on which it is due", async () => {
    await updateCampaign(mails.program.context, { id: mails.program.campaign_id, review: "all" });
    await mails.program.convert(await mails.program.affiliate("jane@example.com"));
    const mail = await mails.theMail();
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain("In review");
      expect(part).toContain("Acme checks some commissions before paying them.");
      expect(part).not.toContain("Due on");
    }
    expectSameWords(mail);
  });

  it("has answers go to the organization's address for them", async () => {
    await changeOrganization(mails.program.context, { support_email: "partners@acme.example" });
    await mails.program.convert(await mails.program.affiliate("jane@example.com"));
    expect((await mails.theMail()).headers["reply-to"]).toBe("partners@acme.example");
  });

  it("names the website if the service has no public URL", async () => {
    const without = mailSender(mails.test, mails.server, { publicUrl: () => null });
    await mails.program.convert(await mails.program.affiliate("jane@example.com"));
    await without.send();
    await without.close();
    const mail = await mails.theMail();
    expect(mail.headers).not.toHaveProperty("list-unsubscribe");
    expect(mail.headers).not.toHaveProperty("list-unsubscribe-post");
    expect(mail.text).toContain("To turn off these emails, contact Acme (https://example.com).");
    expectSameWords(mail);
  });

  it("offers one-click unsubscribe only over https", async () => {
    const plain = mailSender(mails.test, mails.server, { publicUrl: () => "http://127.0.0.1:3000" });
    await mails.program.convert(await mails.program.affiliate("jane@example.com"));
    await plain.send();
    await plain.close();
    const { headers } = await mails.theMail();
    expect(headers["list-unsubscribe"]).toContain("<http://127.0.0.1:3000/unsubscribe/");
    expect(headers).not.toHaveProperty("list-unsubscribe-post");
  });
});

describe("about an approval", () => {
  it("notifies the affiliate once, with the campaign's text and the affiliate's link", async () => {
    const jane = await mails.program.affiliate("jane@example.com", false);
    for (const approved of [true, false, true]) {
      await updateAffiliate(mails.program.context, { id: jane.id, approved });
    }
    const mail = await mails.theMail();
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
    await mails.program.affiliate("jane@example.com", true);
    const bob = await mails.program.affiliate("bob@example.com", false);
    await updateAffiliate(mails.program.context, { id: bob.id, approved: true });
    await updateAffiliate(mails.program.context, { id: bob.id, approved: false });
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect(await mailStates(mails.test.database)).toMatchObject([
      { kind: "affiliate_approved", state: "dropped" },
    ]);
  });

  it("omits a welcome text that the campaign lacks", async () => {
    await updateCampaign(mails.program.context, { id: mails.program.campaign_id, welcome_message: null });
    const jane = await mails.program.affiliate("jane@example.com", false);
    await updateAffiliate(mails.program.context, { id: jane.id, approved: true });
    const mail = await mails.theMail();
    expect(mail.html).not.toContain('class="quote"');
    expectSameWords(mail);
  });
});

describe("about a promo code", () => {
  /** Stripe is connected, and creates codes if there is a key. */
  async function connectStripe(api_key_last_four: string | null): Promise<void> {
    const { database } = mails.test;
    await database`update campaigns set code_mode = 'both', reference_coupon = 'ACME10'`;
    await database`
      insert into processors (organization_id, name, secret_encrypted, api_key_encrypted, api_key_last_four, livemode, created_at)
      values (${mails.program.organization_id}, 'stripe', 'x', ${api_key_last_four}::text::bytea, ${api_key_last_four}, false,
        now())`;
  }

  /** Records that Stripe has the affiliate's code, as a worker does; returns the code. */
  async function created(affiliate_id: string): Promise<string> {
    const [row] = await mails.test.database<[{ id: string; code: string }]>`
      select id, code from affiliate_codes where affiliate_id = ${affiliate_id} and kind = 'promo'`;
    const external = {
      external_id: "promo_1",
      external_code: row.code,
      external_coupon: "ACME10",
      external_linked: false,
    };
    const recorded = { ...row, external };
    await recordPromoCode(mails.test.database, mails.program.organization_id, recorded);
    await recordPromoCode(mails.test.database, mails.program.organization_id, recorded);
    return row.code;
  }

  it("names none in the approval that does not exist at Stripe, and follows once it does", async () => {
    await connectStripe(null);
    const jane = await mails.program.affiliate("jane@example.com", false);
    await updateAffiliate(mails.program.context, { id: jane.id, approved: true });
    const approval = await mails.theMail();
    expect(approval.text).toContain("Your promo code is being created.");
    expect(approval.text).not.toContain("Your promo code:");
    const code = await created(jane.id);
    await mails.send();
    expect(mails.server.received).toHaveLength(2);
    const [, ready] = mails.server.received;
    expect(ready?.headers.subject).toBe("Your promo code for Acme");
    expect(ready?.text).toContain(`Your promo code: ${code}`);
    if (ready !== undefined) expectSameWords(ready);
  });

  it("has the approval wait for the code that Stripe is about to create", async () => {
    await connectStripe("abcd");
    const jane = await mails.program.affiliate("jane@example.com", false);
    await updateAffiliate(mails.program.context, { id: jane.id, approved: true });
    await mails.send();
    expect(mails.server.received).toEqual([]);
    const code = await created(jane.id);
    const { headers, text } = await mails.theMail();
    expect(headers.subject).toBe("Welcome to Acme's affiliate program");
    expect(text).toContain(`Your promo code: ${code}`);
    expect(text).not.toContain("being created");
  });

  it("names the code at once if the organization creates it at another processor", async () => {
    await connectStripe(null);
    await mails.test.database`update processors set name = 'generic'`;
    const jane = await mails.program.affiliate("jane@example.com", false);
    await updateAffiliate(mails.program.context, { id: jane.id, approved: true });
    expect((await mails.theMail()).text).toMatch(/Your promo code: \w+/);
  });
});

it("escapes names in markup, lines and headers", async () => {
  const jane = await mails.program.affiliate("jane@example.com", false);
  const bad = `<script>alert(1)</script>"'&\r\nBcc: eve@example.net\r\n\r\n\u202eevil`;
  await mails.test.database`update affiliates set first_name = ${bad} where id = ${jane.id}`;
  await mails.test
    .database`update organizations set name = ${bad} where id = ${mails.program.organization_id}`;
  await mails.test.database`update campaigns set welcome_message = ${`${bad}\n<img src=x>`}, name = ${bad}
    where organization_id = ${mails.program.organization_id}`;
  await updateAffiliate(mails.program.context, { id: jane.id, approved: true });
  const mail = await mails.theMail();
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
