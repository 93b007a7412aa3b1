import { declineAffiliates } from "@findersfee/domain/affiliates/decline";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { declineClaim } from "@findersfee/domain/customers/claims/decline";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { leaveProgram } from "@findersfee/domain/portal/leave";
import { claim } from "@findersfee/domain/testing/customers/claims/program";
import { beforeEach, describe, expect, it } from "vitest";
import type { ReceivedMail } from "../mail-server.ts";
import { expectSameWords } from "../mailing.ts";
import { beforeEachInMailProgram, type MailProgram } from "./mail-program.ts";

const JANE = "jane@example.com";

let mails: MailProgram;

beforeEachInMailProgram((made) => {
  mails = made;
});

/** The one mail that is due, which must be German in both forms. */
async function germanMail(subject: string): Promise<ReceivedMail> {
  const mail = await mails.theMail();
  expect(mail.headers.subject).toBe(subject);
  expect(mail.html).toContain('<html lang="de">');
  expectSameWords(mail);
  expect(mail.text).not.toMatch(/\b(you|your|the|Hello)\b/i);
  return mail;
}

describe("mails to an affiliate who reads German", () => {
  beforeEach(async () => {
    await mails.test.database`
      insert into portal_accounts (email, language) values (${JANE}, 'de')
      on conflict (email) do update set language = 'de'`;
    await mails.test.database`update campaigns set welcome_message = 'Willkommen!'`;
  });

  it("approve them", async () => {
    const { id, links } = await mails.program.affiliate("Jane@Example.com", false);
    await updateAffiliate(mails.program.context, { id, approved: true });
    const { text } = await germanMail("Willkommen im Affiliate-Programm von Acme");
    expect(text).toContain("Guten Tag Jane,");
    expect(text).toContain("Acme hat Sie in das Programm „Partners“ aufgenommen.");
    expect(text).toContain(`Ihr Link: ${links[0]?.url}`);
    expect(text).toContain("weil Sie am Affiliate-Programm von Acme teilnehmen.");
  });

  it("have the campaign's texts in German, if it has them", async () => {
    const { context } = mails.program;
    const campaign_id = (await mails.program.affiliate("other@example.com", false)).campaign.id;
    await updateCampaign(context, {
      id: campaign_id,
      translations: {
        en: null,
        de: {
          name: "Freunde",
          welcome_message: "Schön, dass Sie da sind!",
          details_text: null,
          dashboard_text: null,
          custom_fields: [],
        },
      },
    });
    const { id } = await mails.program.affiliate(JANE, false);
    await updateAffiliate(context, { id, approved: true });
    const { text } = await germanMail("Willkommen im Affiliate-Programm von Acme");
    expect(text).toContain("Acme hat Sie in das Programm „Freunde“ aufgenommen.");
    expect(text).toContain("> Schön, dass Sie da sind!");
  });

  it("decline them", async () => {
    const { id } = await mails.program.affiliate(JANE, false);
    await declineAffiliates(mails.program.context, { ids: [id], reason: "Keine Reichweite", mail: true });
    const { text } = await germanMail("Ihre Bewerbung für das Affiliate-Programm von Acme");
    expect(text).toContain("kann Sie derzeit leider nicht aufnehmen.");
    expect(text).toContain("> Keine Reichweite");
  });

  it("confirm that they left, with the way to the portal at the organization's own host name", async () => {
    const { id } = await mails.program.affiliate(JANE);
    const { organization } = mails.program.context;
    await mails.test.database`
      update organizations set portal_host_wanted = 'partners.acme.example', portal_host_proven_at = now()
      where id = ${organization.id}`;
    const acting = { database: mails.test.database, notifyWorkers: () => {} };
    const session = { session_id: id, affiliate_id: id, state: "active" as const, organization };
    await leaveProgram(acting, { kind: "affiliate_session", ...session }, JANE);
    const { text } = await germanMail("Sie sind aus dem Affiliate-Programm von Acme ausgetreten");
    expect(text).toContain("Sie sind aus „Partners“ von Acme ausgetreten.");
    expect(text).toMatch(
      new RegExp(`Ihr Portal: https?://partners.acme.example(:\\d+)?/portal\\?program=${id}`),
    );
  });

  it("name the first commission, with amounts and days as Germans write them", async () => {
    await mails.program.convert(await mails.program.affiliate(JANE), "kunde@example.org");
    const { text } = await germanMail("Sie haben 30,00 $ bei Acme verdient");
    for (const part of [
      "Ihre Provision: 30,00 $",
      "Kunde: kunde@example.org",
      "Fällig am: 17. Januar 2026",
    ]) {
      expect(text.replaceAll("\u00a0", " ")).toContain(part);
    }
    expect(text).toContain("Diese E-Mails abbestellen: https://");
  });

  it("have the days of the organization's time zone", async () => {
    const { organization } = mails.program.context;
    await mails.test.database`
      update organizations set time_zone = 'Etc/GMT+12' where id = ${organization.id}`;
    await mails.program.convert(await mails.program.affiliate(JANE), "kunde@example.org");
    const { text } = await germanMail("Sie haben 30,00 $ bei Acme verdient");
    expect(text).toContain("Fällig am: 16. Januar 2026");
  });

  it("name a payout", async () => {
    const { id } = await mails.program.refer(await mails.program.affiliate(JANE));
    await mails.program.pay(id);
    await mails.test.database`update affiliates set new_paid_referral_notifications = false`;
    await mails.test.database`delete from mails`;
    const ids = await mails.program.runPayouts();
    await movePayouts(mails.program.context, { ids, status: "processing" });
    await movePayouts(mails.program.context, { ids, status: "paid" });
    const { text } = await germanMail("Acme hat Ihnen 30,00 $ ausgezahlt");
    expect(text).toMatch(/Monat: [A-ZÄÖÜ][a-zäöü]+ \d{4}\nProvisionen und Anpassungen: 1\n/);
    expect(text).toContain(`Referenz: ${ids[0]}`);
  });

  it("answer a claim", async () => {
    const { id } = await mails.program.affiliate(JANE);
    const made = await claim(mails.program.context, id, { paid_on: "2026-01-02" });
    await declineClaim(mails.program.context, { id: made.id, answer: "Wir finden keine Zahlung." });
    const { text } = await germanMail("Acme hat den von Ihnen gemeldeten Verkauf abgelehnt");
    expect(text).toContain("Guten Tag jane,");
    expect(text).toContain("> Wir finden keine Zahlung.");
    expect(text).toContain("Zahlungsdatum: 2. Januar 2026");
  });
});

it("writes to others in the organization's first language", async () => {
  await mails.test.database`
    update organizations set languages = '{de,en}' where id = ${mails.program.organization_id}`;
  const { id } = await mails.program.affiliate("lee@example.com", false);
  await updateAffiliate(mails.program.context, { id, approved: true });
  const mail = await mails.theMail();
  expect(mail.headers.subject).toBe("Willkommen im Affiliate-Programm von Acme");
});
