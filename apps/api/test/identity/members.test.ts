import { lastedFor } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf } from "../browser.ts";
import { CAMPAIGN } from "../program.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { newPerson, type Person } from "./people.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});
afterAll(() => service.close());

function membersOf({ browser, organization_id }: Person) {
  return browser.dashboard(organization_id).members;
}

describe("a role", () => {
  it("is changed with an entry in the audit log, and counts within a second", async () => {
    const owner = await newPerson(service);
    const { organization_id, user_id } = owner;
    const joe = await newPerson(service, { organization_id, role: "viewer" });
    const update = () =>
      codeOf(joe.browser.dashboard(organization_id).organization.update.mutate({ name: "Acme 2" }));
    expect(await update()).toBe("forbidden_role");
    await membersOf(owner).change.mutate({ user_id: joe.user_id, role: "admin" });
    expect(await lastedFor(async () => expect(await update()).toBeNull())).toBeLessThan(1_000);
    const { data } = await owner.browser
      .dashboard(organization_id)
      .changes.list.query({ resource: "member", resource_id: joe.user_id });
    expect(data[0]).toMatchObject({
      action: "updated",
      actor: `user ${user_id}`,
      before: { role: "viewer" },
      after: { role: "admin" },
    });
  });

  it("of an owner is given and taken by owners only", async () => {
    const owner = await newPerson(service);
    const { organization_id, user_id } = owner;
    const admin = await newPerson(service, { organization_id, role: "admin" });
    const viewer = await newPerson(service, { organization_id, role: "viewer" });
    const { change, remove } = membersOf(admin);
    expect(await codeOf(change.mutate({ user_id, role: "viewer" }))).toBe("forbidden_role");
    expect(await codeOf(change.mutate({ user_id: admin.user_id, role: "owner" }))).toBe("forbidden_role");
    expect(await codeOf(remove.mutate({ user_id }))).toBe("forbidden_role");
    expect(await codeOf(change.mutate({ user_id: viewer.user_id, role: "admin" }))).toBeNull();
  });
});

describe("a removed member", () => {
  it("takes nothing over by requests that began before", async () => {
    const owner = await newPerson(service);
    const { organization_id, user_id } = owner;
    const joe = await newPerson(service, { organization_id });
    const { members, invitations } = joe.browser.dashboard(organization_id);
    await members.list.query();
    await membersOf(owner).remove.mutate({ user_id: joe.user_id });
    expect(await codeOf(members.remove.mutate({ user_id }))).toBe("not_a_member");
    expect(await codeOf(members.change.mutate({ user_id, role: "viewer" }))).toBe("not_a_member");
    const invitation = { email: joe.email, role: "owner", mailed: false } as const;
    expect(await codeOf(invitations.create.mutate(invitation))).toBe("not_a_member");
  });

  it("is refused within a second, with an open page too, and keeps other organizations", async () => {
    const owner = await newPerson(service);
    const { organization_id } = owner;
    const joe = await newPerson(service, { organization_id, role: "admin" });
    const { members } = joe.browser.dashboard(organization_id);
    await members.list.query();
    await membersOf(owner).remove.mutate({ user_id: joe.user_id });
    expect(
      await lastedFor(async () => expect(await codeOf(members.list.query())).toBe("not_a_member")),
    ).toBeLessThan(1_000);
    expect((await joe.browser.account.me.get.query()).organizations).toEqual([]);
  });

  it("of another organization is not found", async () => {
    const owner = await newPerson(service);
    const stranger = await newPerson(service);
    expect(await codeOf(membersOf(owner).remove.mutate({ user_id: stranger.user_id }))).toBe("not_found");
  });
});

describe("the sessions of a member", () => {
  it("are seen and ended by owners, with an entry in the audit log", async () => {
    const owner = await newPerson(service);
    const { organization_id, user_id } = owner;
    const joe = await newPerson(service, { organization_id, role: "admin" });
    const { sessions, end_sessions } = membersOf(owner);
    const [session, ...others] = await sessions.query({ user_id: joe.user_id });
    expect(others).toEqual([]);
    expect(session).toMatchObject({ ip_address: expect.any(String), last_used_at: expect.any(String) });
    const mine = membersOf(joe);
    expect(await codeOf(mine.sessions.query({ user_id }))).toBe("forbidden_role");
    expect(await codeOf(mine.end_sessions.mutate({ user_id }))).toBe("forbidden_role");
    const one = { user_id: joe.user_id, id: session?.id ?? "" };
    expect(await codeOf(end_sessions.mutate({ user_id, id: one.id }))).toBe("not_found");
    expect(await end_sessions.mutate(one)).toEqual({ ended: 1 });
    expect(await codeOf(end_sessions.mutate(one))).toBe("not_found");
    await expect.poll(() => codeOf(mine.list.query())).toBe("session_expired");
    expect(await end_sessions.mutate({ user_id: joe.user_id })).toEqual({ ended: 0 });
    const { data } = await owner.browser
      .dashboard(organization_id)
      .changes.list.query({ resource: "member", resource_id: joe.user_id });
    expect(data.filter(({ action }) => action === "revoked")).toMatchObject([
      { actor: `user ${user_id}`, after: { ended_sessions: 1 } },
    ]);
  });

  it("of another organization's members are not found", async () => {
    const owner = await newPerson(service);
    const { user_id } = await newPerson(service);
    expect(await codeOf(membersOf(owner).sessions.query({ user_id }))).toBe("not_found");
    expect(await codeOf(membersOf(owner).end_sessions.mutate({ user_id }))).toBe("not_found");
  });
});

describe("the last owner", () => {
  it("can neither be removed nor get another role", async () => {
    const owner = await newPerson(service);
    const { user_id } = owner;
    const { change, remove, list } = membersOf(owner);
    expect(await codeOf(remove.mutate({ user_id }))).toBe("last_owner");
    expect(await codeOf(change.mutate({ user_id, role: "admin" }))).toBe("last_owner");
    expect(await list.query()).toMatchObject([{ user_id, role: "owner" }]);
  });

  it("stays when two owners remove each other at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const jane = await newPerson(service);
      const { organization_id } = jane;
      const joe = await newPerson(service, { organization_id });
      await Promise.all([
        codeOf(membersOf(jane).remove.mutate({ user_id: joe.user_id })),
        codeOf(membersOf(joe).remove.mutate({ user_id: jane.user_id })),
        codeOf(membersOf(joe).change.mutate({ user_id: joe.user_id, role: "viewer" })),
      ]);
      const owners = await service.database`
        select from members where organization_id = ${organization_id} and role = 'owner'`;
      expect(owners).toHaveLength(1);
    }
  });
});

describe("an organization", () => {
  it("is renamed, with an entry in the audit log", async () => {
    const { browser, organization_id } = await newPerson(service);
    const { organization, changes } = browser.dashboard(organization_id);
    const slug = `acme-${Date.now()}`;
    const changed = await organization.update.mutate({ name: "Ücme", slug, time_zone: "America/New_York" });
    expect(changed).toEqual({
      id: organization_id,
      name: "Ücme",
      slug,
      currency: "USD",
      time_zone: "America/New_York",
      support_email: null,
      currency_is_locked: false,
    });
    expect(await organization.get.query()).toEqual(changed);
    const { organizations } = await browser.account.me.get.query();
    expect(organizations).toMatchObject([{ slug, time_zone: "America/New_York" }]);
    const { data } = await changes.list.query({ resource: "organization" });
    expect(data[0]).toMatchObject({ action: "updated", after: { name: "Ücme", slug } });
  });

  it("changes its currency until a campaign has a fixed amount, and its address for answers", async () => {
    const { browser, organization_id } = await newPerson(service);
    const { organization } = browser.dashboard(organization_id);
    const support_email = "Partners@Example.com";
    expect(await organization.update.mutate({ currency: "EUR", support_email })).toMatchObject({
      currency: "EUR",
      support_email: "partners@example.com",
      currency_is_locked: false,
    });
    const { trpc } = await service.staff(organization_id);
    await trpc.campaigns.create.mutate({ ...CAMPAIGN, commission_type: "fixed", commission_amount: 10 });
    expect(await organization.get.query()).toMatchObject({ currency_is_locked: true });
    expect(await codeOf(organization.update.mutate({ currency: "USD" }))).toBe("invalid_request");
    expect(await organization.update.mutate({ currency: "EUR", support_email: null })).toMatchObject({
      support_email: null,
    });
  });

  it("gets no slug of another one, and no invalid one", async () => {
    const jane = await newPerson(service);
    const joe = await newPerson(service);
    const { organization } = jane.browser.dashboard(jane.organization_id);
    const [taken] = (await joe.browser.account.me.get.query()).organizations;
    for (const slug of [taken?.slug ?? "", "embed", "sign-in", "Acme", "-acme", "a--b", "", "a".repeat(64)]) {
      expect(await codeOf(organization.update.mutate({ slug }))).toBe("invalid_request");
    }
  });
});
