/* Invitations that staff send to people who have not agreed to be affiliates. */
import { transaction } from "@findersfee/database/postgres/connect";
import { expect, it } from "vitest";
import { inviteAffiliates } from "../../src/affiliates/invite.ts";
import { listAffiliateRows } from "../../src/affiliates/list-rows.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { banAffiliates } from "../../src/ban-affiliates.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { newId } from "../../src/ids.ts";
import { agree } from "../../src/portal/agreements.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { getHealth } from "../../src/reports/health/get.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, addPartner, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const SERVICE = "https://service.test";
const add = (fields: object = {}) => addAffiliate(context, { campaign_id: partner.campaign_id, ...fields });
const invite = (...ids: string[]) => inviteAffiliates(context, { ids });
const invitationOf = async (id: string) => (await getAffiliateDetail(context, id, SERVICE)).invitation;
const mailsTo = (id: string) =>
  context.database<{ state: string }[]>`
    select state from mails where affiliate_id = ${id} and kind = 'affiliate_approved'`;
const emailOf = async (id: string) => (await getAffiliateDetail(context, id)).affiliate.email;

async function answer(id: string, answered: "agreed" | "disowned"): Promise<void> {
  const { database, organization } = context;
  if (answered === "disowned") {
    await database`update affiliates set disowned_at = now() where id = ${id}`;
    return;
  }
  const email = (await emailOf(id)).toLowerCase();
  await transaction(database, (sql) =>
    agree(sql, { organization_id: organization.id, email, affiliate_id: id }),
  );
}

async function finishMail(id: string, state: string, hours_ago: number): Promise<void> {
  await context.database`
    update mails set state = ${state}, due_at = null, finished_at = now() - make_interval(hours => ${hours_ago})
    where affiliate_id = ${id} and state = 'due'`;
}

it("has no mail of an affiliate that was added, until staff send one", async () => {
  const id = await add();
  const url = `${SERVICE}/portal?program=${id}`;
  expect(await mailsTo(id)).toEqual([]);
  expect(await invitationOf(id)).toEqual({ mail: null, url, can_send: true });
  expect(await invite(id, id.toUpperCase())).toEqual({ changed: 1 });
  expect(await mailsTo(id)).toEqual([{ state: "due" }]);
  expect(await invitationOf(id)).toEqual({
    mail: { state: "due", at: expect.any(String) },
    url,
    can_send: false,
  });
  const entries = await context.database`
    select before, after from audit_log_entries where resource_id = ${id} and action = 'updated'`;
  expect(entries).toEqual([{ before: { invitation: "open" }, after: { invitation: "mailed" } }]);
});

it("is sent again a day later, or at once if the mail server rejected it", async () => {
  const id = await add();
  await invite(id);
  await finishMail(id, "sent", 23);
  expect(await invitationOf(id)).toMatchObject({ mail: { state: "sent" }, can_send: false });
  expect(await invite(id)).toEqual({ changed: 0 });
  await context.database`update mails set finished_at = finished_at - interval '2 hours' where affiliate_id = ${id}`;
  expect(await invitationOf(id)).toMatchObject({ mail: { state: "sent" }, can_send: true });
  expect(await invite(id)).toEqual({ changed: 1 });
  await finishMail(id, "given_up", 0);
  expect(await invitationOf(id)).toMatchObject({ mail: { state: "failed" }, can_send: true });
  expect(await invite(id)).toEqual({ changed: 1 });
});

it("is sent once by concurrent requests", async () => {
  const ids = [await add(), await add()];
  const results = await Promise.all([invite(...ids), invite(...ids.toReversed()), invite(...ids)]);
  expect(results.reduce((sum, { changed }) => sum + changed, 0)).toBe(2);
  for (const id of ids) expect(await mailsTo(id)).toHaveLength(1);
});

it("goes to an address once a day, whatever the number of campaigns", async () => {
  const email = "many@partners.test";
  const first = await add({ email });
  const { campaign_id } = await addPartner(context, { name: "Others" });
  const second = await add({ email: email.toUpperCase(), campaign_id });
  expect(await invite(first, second)).toEqual({ changed: 1 });
  expect(await invitationOf(second)).toMatchObject({ mail: null, can_send: false });
  await finishMail(first, "sent", 25);
  expect(await invite(second)).toEqual({ changed: 1 });
});

it("was not sent to an address that came later", async () => {
  const id = await add();
  await invite(id);
  await finishMail(id, "sent", 0);
  await updateAffiliate(context, { id, email: `other-${newId(new Date())}@partners.test` });
  expect(await invitationOf(id)).toMatchObject({ mail: null, can_send: true });
});

it("goes to nobody who has answered, is not active, or was erased", async () => {
  const [agreed, disowned, banned, waiting, erased] = [
    await add(),
    await add(),
    await add(),
    await add({ approved: false }),
    await add(),
  ];
  await answer(agreed, "agreed");
  await answer(disowned, "disowned");
  await banAffiliates(context, { ids: [banned], reason: null, due: "pay" });
  await eraseAffiliate(context, erased);
  const ids = [agreed, disowned, banned, waiting, erased];
  await context.database`delete from mails`;
  expect(await invite(...ids)).toEqual({ changed: 0 });
  for (const id of ids) {
    expect(await invitationOf(id)).toBeNull();
    expect(await mailsTo(id)).toEqual([]);
  }
});

it("is sent to all of the affiliates or none, and to none of another organization", async () => {
  const id = await add();
  const foreign = { ...(await makeContext(context.database)), commission_writer: context.commission_writer };
  await expect(inviteAffiliates(foreign, { ids: [id] })).rejects.toMatchObject({ code: "not_found" });
  await expect(invite(id, newId(new Date()))).rejects.toMatchObject({ code: "not_found" });
  expect(await mailsTo(id)).toEqual([]);
});

it("is not sent for test data, whose affiliates have no portal", async () => {
  const id = await add();
  const owner = await makeContext(context.database);
  await context.database`
    update organizations set test_of = ${owner.organization.id} where id = ${context.organization.id}`;
  expect(await invite(id)).toEqual({ changed: 0 });
  expect(await invitationOf(id)).toBeNull();
});

it("is a filter of the list, and a column of each row", async () => {
  const [agreed, disowned, erased] = [await add(), await add(), await add()];
  await answer(agreed, "agreed");
  await answer(disowned, "disowned");
  await eraseAffiliate(context, erased);
  const list = async (agreement?: "agreed" | "open" | "disowned") =>
    (await listAffiliateRows(context, { limit: 50, agreement })).data.map((row) => [row.id, row.agreement]);
  expect(await list()).toEqual([
    [erased, null],
    [disowned, "disowned"],
    [agreed, "agreed"],
    [partner.affiliate_id, "open"],
  ]);
  expect(await list("open")).toEqual([[partner.affiliate_id, "open"]]);
  expect(await list("disowned")).toEqual([[disowned, "disowned"]]);
  expect(await list("agreed")).toEqual([[agreed, "agreed"]]);
});

it("that waits for the quota is in what needs a person, with the time when it is sent", async () => {
  const none = { count: 0, until: null };
  expect((await listAttention(context)).mails_awaiting_quota).toEqual(none);
  const id = await add();
  await invite(id);
  const until = new Date(Date.now() + 3_600_000);
  await context.database`update mails set awaits_quota = true, due_at = ${until} where affiliate_id = ${id}`;
  const waits = { count: 1, until: until.toISOString() };
  expect((await listAttention(context)).mails_awaiting_quota).toEqual(waits);
  expect(await getHealth(context)).toMatchObject({
    mails_awaiting_quota: 1,
    mails_wait_until: waits.until,
  });
});

it("goes out with the creation if asked for, unless somebody waits for approval", async () => {
  const invited = await add({ send_invitation: true });
  expect(await mailsTo(invited)).toEqual([{ state: "due" }]);
  const waiting = await add({ send_invitation: true, approved: false });
  expect(await mailsTo(waiting)).toEqual([]);
  await updateAffiliate(context, { id: waiting, approved: true });
  expect(await mailsTo(waiting)).toEqual([{ state: "due" }]);
  expect(await mailsTo(await add({ send_invitation: false }))).toEqual([]);
});
