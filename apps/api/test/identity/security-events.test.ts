import { setUserDisabled } from "@findersfee/domain/identity/users/disable";
import { lowerPasswordCost } from "@findersfee/domain/testing/cheap-passwords";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, openBrowser } from "../browser.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { newOrganization, newPerson, PASSWORD, type Person } from "./people.ts";

let service: TestService;

beforeAll(async () => {
  lowerPasswordCost();
  service = await startTestService();
});
afterAll(() => service.close());

function signIn(email: string, password = PASSWORD, browser = openBrowser(service)) {
  return browser.post("/auth/sign-in", { email, password });
}

async function kindsOf({ browser }: Person): Promise<string[]> {
  const { data } = await browser.account.security_events.list.query({ limit: 100 });
  return data.map(({ kind }) => kind).reverse();
}

/** The events that were mailed to a person. */
async function mailedTo({ email }: Person): Promise<string[]> {
  const rows = await service.database<{ kind: string }[]>`
    select event.kind from mails join security_events event on event.id::text = mails.about
    where mails.recipient = ${email} and mails.kind = 'security_notice' order by event.id`;
  return rows.map(({ kind }) => kind);
}

describe("security events", () => {
  it("tell a person of sign-ins, with a mail for a new device, once within a day", async () => {
    const person = await newPerson(service);
    await signIn(person.email, PASSWORD, person.browser);
    await signIn(person.email);
    await signIn(person.email);
    expect(await kindsOf(person)).toEqual([
      "signed_in_on_new_device",
      "signed_in",
      "signed_in_on_new_device",
      "signed_in_on_new_device",
    ]);
    // The link that set the account up is no news; the first new device after it is, and the second on the same day is not.
    expect(await mailedTo(person)).toEqual(["signed_in_on_new_device"]);
    await service.database.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`
        update security_events set created_at = created_at - interval '25 hours' where user_id = ${person.user_id}`;
    });
    await signIn(person.email);
    await signIn(person.email);
    expect(await mailedTo(person)).toEqual(["signed_in_on_new_device", "signed_in_on_new_device"]);
    const [first] = (await person.browser.account.security_events.list.query({ limit: 1 })).data;
    expect(first).toMatchObject({
      detail: "password",
      ip_address: "127.0.0.1",
      user_agent: "Firefox",
      times: 1,
    });
  });

  it("count wrong passwords of an hour and a network as one", async () => {
    const person = await newPerson(service);
    for (let n = 0; n < 7; n++) await signIn(person.email, "wrong password 1");
    const { data } = await person.browser.account.security_events.list.query({});
    const failed = data.filter(({ kind }) => kind === "sign_in_failed");
    // Two events, if the hour ended in the meantime.
    expect(failed.reduce((sum, { times }) => sum + times, 0)).toBe(7);
    expect(failed.length).toBeLessThanOrEqual(2);
  });

  it("tell of changed credentials and ended sessions, with mails", async () => {
    const person = await newPerson(service);
    await signIn(person.email);
    const { credentials, sessions } = person.browser.account;
    const password = "another horse battery";
    await sessions.end_others.mutate({});
    await credentials.change_password.mutate({ current_password: PASSWORD, password });
    expect(await kindsOf(person)).toEqual([
      "signed_in_on_new_device",
      "signed_in_on_new_device",
      "sessions_ended",
      "password_changed",
    ]);
    expect(await mailedTo(person)).toEqual(["signed_in_on_new_device", "password_changed"]);
  });

  it("name the operator who disabled a person", async () => {
    const person = await newPerson(service);
    await setUserDisabled(service.database, { email: person.email, disabled: true });
    const rows = await service.database`
      select kind, actor from security_events where user_id = ${person.user_id} order by id`;
    expect(rows.at(-1)).toEqual({ kind: "sessions_ended", actor: "operator" });
  });

  it("stay as they were written", async () => {
    const { user_id } = await newPerson(service);
    const change = service.database`update security_events set kind = 'signed_in' where user_id = ${user_id}`;
    await expect(change).rejects.toMatchObject({ code: "FF001" });
  });

  it("come in pages", async () => {
    const person = await newPerson(service);
    for (let n = 0; n < 3; n++) await signIn(person.email);
    const { list } = person.browser.account.security_events;
    const first = await list.query({ limit: 2 });
    const second = await list.query({ limit: 2, cursor: first.pagination.next_cursor ?? undefined });
    expect(second.pagination.has_more).toBe(false);
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4);
  });
});

describe("owners", () => {
  it("read the events of members since they joined, and of nobody else", async () => {
    const owner = await newPerson(service);
    const member = await newPerson(service, { organization_id: owner.organization_id, role: "viewer" });
    const stranger = await newPerson(service);
    const { security_events } = owner.browser.dashboard(owner.organization_id);
    const { data } = await security_events.list.query({ user_id: member.user_id });
    expect(data).toMatchObject([{ kind: "signed_in_on_new_device" }]);
    expect(await codeOf(security_events.list.query({ user_id: stranger.user_id }))).toBe("not_found");
    const asMember = member.browser.dashboard(owner.organization_id);
    expect(await codeOf(asMember.security_events.list.query({ user_id: owner.user_id }))).toBe(
      "forbidden_role",
    );
  });

  it("see nothing from before a member joined", async () => {
    const owner = await newPerson(service);
    const member = await newPerson(service, { organization_id: await newOrganization(service) });
    const created_at = new Date();
    await service.database`
      insert into members ${service.database({ organization_id: owner.organization_id, user_id: member.user_id, role: "viewer", created_at })}`;
    const { security_events } = owner.browser.dashboard(owner.organization_id);
    expect((await security_events.list.query({ user_id: member.user_id })).data).toEqual([]);
    await signIn(member.email);
    expect((await security_events.list.query({ user_id: member.user_id })).data).toHaveLength(1);
  });
});
