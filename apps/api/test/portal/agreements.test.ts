/* Affiliates that an organization added, before and after the person has agreed. */

import { randomUUID } from "node:crypto";
import type { DueMail } from "@findersfee/database/mails/mails";
import { composeMail } from "@findersfee/domain/mails/compose";
import { unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../browser.ts";
import { CAMPAIGN } from "../program.ts";
import { ENDPOINT_POLICY, startTestService, type TestClient, type TestService } from "../test-service.ts";
import { agreeToAll, openFrame, openView, portalOf, signIn } from "./affiliate-browser.ts";

const { secrets_key } = ENDPOINT_POLICY;

let service: TestService;
let acme: TestClient;
let evil: TestClient;

beforeAll(async () => {
  service = await startTestService();
  acme = await openProgram("Acme");
  evil = await openProgram("Acme Security");
});
afterAll(() => service.close());

async function openProgram(name: string): Promise<TestClient> {
  const organization = await service.organization();
  await service.database`update organizations set name = ${name} where id = ${organization.organization_id}`;
  await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  return organization;
}

/** A person who agreed to be Acme's affiliate. Another organization added the same person later. */
async function newPerson() {
  const email = `jane-${randomUUID()}@walk.test`;
  const own = await acme.trpc.affiliates.create.mutate({ email });
  await agreeToAll(service, email);
  const added = await evil.trpc.affiliates.create.mutate({ email });
  return { email, own, added };
}

/** The newest mail with a code to an address, as a worker composes it. */
async function mailedCodeTo(email: string) {
  const [mail] = await service.database<DueMail[]>`
    select mail.*, organization.name as organization_name, organization.support_email, organization.portal_host
    from mails mail join organizations organization on organization.id = mail.organization_id
    where mail.kind = 'portal_code' and mail.recipient = ${email} order by mail.created_at desc limit 1`;
  if (mail === undefined) throw new Error("no mail");
  const key = unsubscribeKey(secrets_key);
  return await composeMail(
    { sql: service.database, secrets_key, key, public_url: "https://app.example.com" },
    mail,
  );
}

const request = (email: string) => openBrowser(service).post("/portal/auth/code", { email });

describe("a mail with a code for the service's own host", () => {
  it("names the organization whose affiliate the person is, and not one that added it later", async () => {
    const { email } = await newPerson();
    await request(email);
    const mail = await mailedCodeTo(email);
    expect(mail).toMatchObject({ subject: expect.stringMatching(/^\d{6} is your code for Acme$/) });
    expect(JSON.stringify(mail)).not.toContain("Acme Security");
  });

  it("names no organization to a person who has agreed to none", async () => {
    const email = `joe-${randomUUID()}@walk.test`;
    await evil.trpc.affiliates.create.mutate({ email });
    await request(email);
    const mail = await mailedCodeTo(email);
    expect(mail).toMatchObject({ subject: expect.stringMatching(/ is your code for the affiliate portal$/) });
    expect(JSON.stringify(mail)).not.toContain("Acme Security");
  });

  it("is a row for unknown addresses, too, which nobody gets", async () => {
    const unknown = `nobody-${randomUUID()}@walk.test`;
    const { email } = await newPerson();
    for (const address of [unknown, email]) await request(address);
    const rows = await service.database`
      select code.email, mail.state, mail.recipient from portal_codes code
      left join mails mail on mail.about = code.id::text
      where code.email in (${unknown}, ${email}) order by code.id`;
    expect(rows).toEqual([
      { email: unknown, state: "dropped", recipient: "nobody" },
      { email, state: "due", recipient: email },
    ]);
  });
});

describe("an invitation", () => {
  it("is in the portal instead of the program until the person accepts it", async () => {
    const { email, own, added } = await newPerson();
    const browser = await signIn(service, email);
    const portal = portalOf(service, browser, added.id);
    const before = await portal.me.get.query();
    expect(before.programs.map(({ affiliate_id }) => affiliate_id)).toEqual([own.id]);
    expect(before.organizations.map(({ organization_id }) => organization_id)).toEqual([
      acme.organization_id,
    ]);
    expect(before.invitations).toEqual([
      {
        affiliate_id: added.id,
        organization_id: evil.organization_id,
        organization_name: "Acme Security",
        campaign_name: CAMPAIGN.name,
        campaign_translations: {},
      },
    ]);
    await expect(portal.program.get.query()).rejects.toMatchObject({
      data: expect.objectContaining({ httpStatus: expect.any(Number) }),
    });
    await portal.invitations.accept.mutate({ affiliate_id: added.id });
    await portal.invitations.accept.mutate({ affiliate_id: added.id });
    const after = await portal.me.get.query();
    expect(after.programs.map(({ affiliate_id }) => affiliate_id)).toEqual([added.id, own.id]);
    expect(after.invitations).toEqual([]);
    expect(await portal.program.get.query()).toMatchObject({ state: "active" });
    const welcomes = await service.database`
      select kind from mails where affiliate_id = ${added.id} and kind = 'affiliate_approved'`;
    expect(welcomes).toHaveLength(1);
  });

  it("that is not theirs disappears, and what it earns still counts", async () => {
    const { email, added } = await newPerson();
    const portal = portalOf(service, await signIn(service, email));
    await portal.invitations.disown.mutate({ affiliate_id: added.id });
    expect((await portal.me.get.query()).invitations).toEqual([]);
    const [row] = await service.database`
      select approved, banned, agreed_at, disowned_at from affiliates where id = ${added.id}`;
    expect(row).toEqual({ approved: true, banned: false, agreed_at: null, disowned_at: expect.any(Date) });
    const entries = await service.database`
      select before, after from audit_log_entries
      where resource_id = ${added.id} and actor = ${`affiliate ${added.id}`}`;
    expect(entries).toEqual([{ before: { invitation: "open" }, after: { invitation: "not_theirs" } }]);
  });

  it("of somebody else cannot be answered", async () => {
    const { added } = await newPerson();
    const { email } = await newPerson();
    const portal = portalOf(service, await signIn(service, email));
    for (const answer of [portal.invitations.accept, portal.invitations.disown]) {
      await expect(answer.mutate({ affiliate_id: added.id })).rejects.toThrow();
    }
    const [row] =
      await service.database`select agreed_at, disowned_at from affiliates where id = ${added.id}`;
    expect(row).toEqual({ agreed_at: null, disowned_at: null });
  });

  it("is not answered in a frame, which shows the organization's own program", async () => {
    const { added } = await newPerson();
    const session = await openFrame(service, evil.trpc, added.id);
    const send = (path: string, body?: object) =>
      fetch(`${service.url}/portal/trpc/${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          origin: service.origin,
          "content-type": "application/json",
          "findersfee-portal-session": session,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const me = (await (await send("me.get")).json()) as {
      result: { data: { programs: { affiliate_id: string }[]; invitations: unknown[] } };
    };
    expect(me.result.data.programs.map(({ affiliate_id }) => affiliate_id)).toEqual([added.id]);
    expect(me.result.data.invitations).toEqual([]);
    expect((await send("invitations.accept", { affiliate_id: added.id })).status).toBe(403);
    const [row] = await service.database`select agreed_at from affiliates where id = ${added.id}`;
    expect(row).toEqual({ agreed_at: null });
  });

  it("is open again for another address", async () => {
    const own = `mallory-${randomUUID()}@walk.test`;
    const { id } = await evil.trpc.affiliates.create.mutate({ email: own });
    await agreeToAll(service, own);
    await evil.trpc.affiliates.update.mutate({ id, email: own.toUpperCase() });
    const agreed = async () => {
      const [row] =
        await service.database`select agreed_at is not null as agreed from affiliates where id = ${id}`;
      return row?.agreed;
    };
    expect(await agreed()).toBe(true);
    await evil.trpc.affiliates.update.mutate({ id, email: `victim-${randomUUID()}@walk.test` });
    expect(await agreed()).toBe(false);
  });
});

describe("an answer", () => {
  const entriesOf = (id: string) => service.database`
    select after from audit_log_entries where resource_id = ${id} and actor = ${`affiliate ${id}`}`;
  const welcomesOf = (id: string) => service.database`
    select id from mails where affiliate_id = ${id} and kind = 'affiliate_approved'`;
  const answerOf = async (id: string) => {
    const [row] = await service.database`
      select agreed_at is not null as agreed, disowned_at is not null as disowned from affiliates where id = ${id}`;
    return row;
  };

  it("counts once, however often and from however many browsers it comes at the same moment", async () => {
    const { email, added } = await newPerson();
    const portals = [
      portalOf(service, await signIn(service, email)),
      portalOf(service, await signIn(service, email)),
    ];
    const accepts = [...portals, ...portals, ...portals].map((portal) =>
      portal.invitations.accept.mutate({ affiliate_id: added.id }),
    );
    await Promise.all(accepts);
    expect(await welcomesOf(added.id)).toHaveLength(1);
    expect(await entriesOf(added.id)).toEqual([{ after: { invitation: "accepted" } }]);
  });

  it("is one of the two, if both come at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { email, added } = await newPerson();
      const portal = portalOf(service, await signIn(service, email));
      const sent = { affiliate_id: added.id };
      await Promise.all([portal.invitations.disown.mutate(sent), portal.invitations.accept.mutate(sent)]);
      expect(await answerOf(added.id)).toEqual({ agreed: true, disowned: false });
      expect(await welcomesOf(added.id)).toHaveLength(1);
    }
  });

  it("to one organization leaves the invitation of another open", async () => {
    const { email, added } = await newPerson();
    const third = await openProgram("Globex");
    const other = await third.trpc.affiliates.create.mutate({ email });
    const portal = portalOf(service, await signIn(service, email));
    await Promise.all([
      portal.invitations.accept.mutate({ affiliate_id: added.id }),
      portal.invitations.disown.mutate({ affiliate_id: other.id }),
    ]);
    expect(await answerOf(added.id)).toEqual({ agreed: true, disowned: false });
    expect(await answerOf(other.id)).toEqual({ agreed: false, disowned: true });
  });

  it("is not given by staff who view the portal", async () => {
    const { added } = await newPerson();
    const staff = await service.staff(evil.organization_id);
    const session = await openView(service, staff.trpc, added.id);
    for (const answer of ["accept", "disown"]) {
      const response = await fetch(`${service.url}/portal/trpc/invitations.${answer}`, {
        method: "POST",
        headers: {
          origin: service.origin,
          "content-type": "application/json",
          "findersfee-portal-session": session,
        },
        body: JSON.stringify({ affiliate_id: added.id }),
      });
      expect(response.status).toBe(403);
    }
    expect(await answerOf(added.id)).toEqual({ agreed: false, disowned: false });
  });

  it("after a ban agrees, and mails no welcome", async () => {
    const { email, added } = await newPerson();
    const portal = portalOf(service, await signIn(service, email), added.id);
    await evil.trpc.affiliates.update.mutate({ id: added.id, banned: true });
    await portal.invitations.accept.mutate({ affiliate_id: added.id });
    expect(await answerOf(added.id)).toEqual({ agreed: true, disowned: false });
    expect(await welcomesOf(added.id)).toEqual([]);
    expect(await portal.program.get.query()).toMatchObject({ state: "banned", links: [] });
  });

  it("after an erasure, or a change of the address, changes nothing", async () => {
    const erased = await newPerson();
    const moved = await newPerson();
    const portals = await Promise.all(
      [erased, moved].map(async ({ email }) => portalOf(service, await signIn(service, email))),
    );
    for (const portal of portals) await portal.me.get.query();
    const owner = await service.staff(evil.organization_id);
    const email = `elsewhere-${randomUUID()}@walk.test`;
    await evil.trpc.affiliates.update.mutate({ id: moved.added.id, email });
    await owner.trpc.dashboard.erasures.affiliate.mutate({ affiliate_id: erased.added.id });
    for (const [index, { added }] of [erased, moved].entries()) {
      const portal = portals[index];
      // Refused, or, within a second of the change, without an effect.
      await portal?.invitations.accept.mutate({ affiliate_id: added.id }).catch(() => {});
      await portal?.invitations.disown.mutate({ affiliate_id: added.id }).catch(() => {});
      expect(await answerOf(added.id)).toEqual({ agreed: false, disowned: false });
      expect(await welcomesOf(added.id)).toEqual([]);
    }
  });

  it("can be given to an organization, though another one has added the address in a hundred campaigns", async () => {
    const email = `flooded-${randomUUID()}@walk.test`;
    const own = await acme.trpc.affiliates.create.mutate({ email });
    await service.database`
      with campaign as (
        insert into campaigns
        select (jsonb_populate_record(template, jsonb_build_object('id', gen_random_uuid(), 'is_default', false))).*
        from campaigns template cross join generate_series(1, 100)
        where template.organization_id = ${evil.organization_id} and template.is_default
        returning organization_id, id
      )
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved,
        new_paid_referral_notifications, created_at)
      select organization_id, ('ffffffff-0000-7000-8000-' || substr(md5(id::text), 1, 12))::uuid, id, ${email}, '', '', true,
        false, now()
      from campaign`;
    const portal = portalOf(service, await signIn(service, email));
    const { invitations } = await portal.me.get.query();
    expect(invitations).toHaveLength(100);
    expect(invitations.map(({ affiliate_id }) => affiliate_id)).toContain(own.id);
    await portal.invitations.accept.mutate({ affiliate_id: own.id });
    expect(await answerOf(own.id)).toEqual({ agreed: true, disowned: false });
  });
});
