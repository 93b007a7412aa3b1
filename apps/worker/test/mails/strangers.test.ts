/* Mails to people who have not agreed to be affiliates of the organization that added them. */

import { transaction } from "@findersfee/database/postgres/connect";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { setMailQuota } from "@findersfee/domain/organizations/set-mail-quota";
import { agree, disownInvitation } from "@findersfee/domain/portal/agreements";
import { expect, it } from "vitest";
import { mailSender } from "../mailing.ts";
import { beforeEachInMailProgram, type MailProgram } from "./mail-program.ts";

let mails: MailProgram;

beforeEachInMailProgram((made) => {
  mails = made;
});

/** The organization adds somebody, and approves them. */
async function invite(email: string): Promise<string> {
  const { id } = await mails.program.stranger(email, false);
  await updateAffiliate(mails.program.context, { id, approved: true });
  return id;
}

it("have no words of the organization but its name, and no address but the portal's", async () => {
  const { campaign_id, context } = mails.program;
  const welcome_message = "Verify at https://acme-verify.example/login";
  await updateCampaign(context, { id: campaign_id, welcome_message });
  const { id } = await mails.program.stranger("jane@walk.test", false);
  await updateAffiliate(context, { id, first_name: "https://evil.example/reset", approved: true });
  const mail = await mails.theMail();
  expect(mail.headers.subject).toBe("Acme invited you to its affiliate program");
  for (const part of [mail.text, mail.html]) {
    expect(part).not.toMatch(/evil\.example|acme-verify|example\.com\/\?via/);
    expect(part).toContain(`/portal?program=${id}`);
  }
});

it("beyond the quota wait for the next day, and others do not", async () => {
  const { database } = mails.test;
  const { organization_id } = mails.program;
  const sender = mailSender(mails.test, mails.server, { mails_to_strangers: 2 });
  for (const name of ["ann", "bob", "cid", "dan"]) await invite(`${name}@walk.test`);
  const jane = await mails.program.affiliate("jane@example.com", false);
  await updateAffiliate(mails.program.context, { id: jane.id, approved: true });
  await sender.send();
  const received = () => mails.server.received.flatMap(({ recipients }) => recipients).sort();
  expect(received()).toEqual(["ann@walk.test", "bob@walk.test", "jane@example.com"]);
  const tomorrow = new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`);
  const waiting = () => database`select state, due_at, failures from mails where awaits_quota`;
  const row = { state: "due", due_at: tomorrow, failures: 0 };
  expect(await waiting()).toEqual([row, row]);
  await sender.send();
  expect(received()).toHaveLength(3);
  // The operator gives the organization a quota of its own.
  await setMailQuota(database, { id: organization_id, mails_to_strangers: 3 });
  await sender.send();
  expect(received()).toHaveLength(4);
  expect(await waiting()).toEqual([row]);
  // The next day counts from zero.
  await database`update mails set finished_at = finished_at - interval '1 day' where to_stranger`;
  await database`update mails set due_at = now() where awaits_quota`;
  await sender.send();
  expect(received()).toHaveLength(5);
  expect(await waiting()).toEqual([]);
  await sender.close();
});

it("that wait for the quota become one welcome once the person agrees, and none once they decline", async () => {
  const { database } = mails.test;
  const { organization_id } = mails.program;
  const sender = mailSender(mails.test, mails.server, { mails_to_strangers: 1 });
  for (const name of ["ann", "bob", "cid"]) await invite(`${name}@walk.test`);
  await sender.send();
  const found = await database<{ affiliate_id: string; email: string }[]>`
    select affiliate_id, email from mails join affiliates affiliate on affiliate.id = mails.affiliate_id
    where awaits_quota order by email`;
  expect(found).toHaveLength(2);
  const [first, second] = found;
  await transaction(database, (sql) =>
    agree(sql, { organization_id, email: first?.email ?? "", affiliate_id: null }),
  );
  await disownInvitation(
    { database },
    {
      email: second?.email ?? "",
      invitations: new Map([[second?.affiliate_id, { organization_id }]]),
    } as never,
    { affiliate_id: second?.affiliate_id ?? "" },
  );
  expect(await database`select from mails where awaits_quota`).toHaveLength(0);
  await sender.send();
  const sent = mails.server.received.slice(1);
  expect(sent.map(({ recipients }) => recipients)).toEqual([[first?.email]]);
  expect(sent[0]?.headers.subject).toBe("Welcome to Acme's affiliate program");
  await sender.close();
});

it("are not sent once the person has said that the invitation is not theirs", async () => {
  const id = await invite("jane@walk.test");
  await mails.test.database`update affiliates set disowned_at = now() where id = ${id}`;
  await mails.send();
  expect(mails.server.received).toEqual([]);
});
