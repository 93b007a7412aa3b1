import { randomBytes, randomUUID } from "node:crypto";
import type { Role } from "@findersfee/contract/identity/roles";
import { insertInvitation } from "@findersfee/database/identity/invitations";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { requestConfirmation } from "@findersfee/domain/identity/accounts/confirm-email";
import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { acceptInvitation } from "@findersfee/domain/identity/invitations/accept";
import { setUserDisabled } from "@findersfee/domain/identity/users/disable";
import { newId } from "@findersfee/domain/ids";
import { WAITING_BROWSER } from "@findersfee/domain/testing/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, openBrowser } from "../browser.ts";
import { ENDPOINT_POLICY, startTestService, type TestService } from "../test-service.ts";
import { newPerson, PASSWORD, type Person } from "./people.ts";

let service: TestService;
let owner: Person;

beforeAll(async () => {
  service = await startTestService({ public_url: "https://app.example.com" });
  owner = await newPerson(service);
});
afterAll(() => service.close());

const newEmail = () => `joe-${randomUUID()}@example.com`;

const JOE = { name: "Joe Doe", password: PASSWORD };

interface Invited {
  id: string;
  email: string;
  token: string;
}

/** Invites by a mailed or a copied link; returns its token. */
async function invite(
  inviter: Person,
  { email = newEmail(), role = "admin" as Role, mailed = true } = {},
): Promise<Invited> {
  const { invitations } = inviter.browser.dashboard(inviter.organization_id);
  const { id, link } = await invitations.create.mutate({ email, role, mailed });
  expect(link === null).toBe(mailed);
  const token = link?.split("/invitation#")[1] ?? mailedToken(ENDPOINT_POLICY.secrets_key, "invitation", id);
  return { id, email, token };
}

function accept(token: string, person: object = JOE, browser = openBrowser(service)) {
  return browser.post("/auth/invitations/accept", { token, ...person });
}

describe("an invitation", () => {
  it("shows who invites to what, and makes an account that is a member", async () => {
    const { token, email, id } = await invite(owner, { role: "viewer" });
    const browser = openBrowser(service);
    const shown = await browser.post("/auth/invitations/get", { token });
    expect(shown.body.data).toEqual({
      organization_name: "Acme",
      email,
      role: "viewer",
      invited_by: "Jane Doe",
      expires_at: expect.any(String),
      has_account: false,
      signed_in_as: null,
    });
    const days = (Date.parse(shown.body.data.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const { body } = await accept(token, JOE, browser);
    expect(body.data).toEqual({ organization_slug: expect.stringMatching(/^acme/) });
    const me = await browser.account.me.get.query();
    expect(me).toMatchObject({
      user: { email, name: "Joe Doe" },
      organizations: [{ id: owner.organization_id, role: "viewer" }],
    });
    expect((await browser.account.credentials.get.query()).email_verified).toBe(true);
    const { changes, members, invitations } = owner.browser.dashboard(owner.organization_id);
    expect((await changes.list.query({ resource_id: id })).data).toMatchObject([
      { action: "updated", actor: `user ${me.user.id}`, after: { state: "accepted" } },
      { action: "created", actor: `user ${owner.user_id}`, after: { email, role: "viewer", state: "open" } },
    ]);
    expect(await members.list.query()).toContainEqual(
      expect.objectContaining({ user_id: me.user.id, role: "viewer", has_second_factor: false }),
    );
    expect((await invitations.list.query()).map((row) => row.id)).not.toContain(id);
  });

  it("is accepted by the signed-in person with its email, who then has two organizations", async () => {
    const joe = await newPerson(service);
    const { token } = await invite(owner, { email: joe.email });
    const shown = await openBrowser(service).post("/auth/invitations/get", { token });
    expect(shown.body.data.has_account).toBe(true);
    expect((await accept(token, {}, joe.browser)).status).toBe(200);
    expect((await joe.browser.account.me.get.query()).organizations).toHaveLength(2);
  });

  it("with a copied link does not tell strangers whether its email has an account", async () => {
    const joe = await newPerson(service);
    const { invitations } = owner.browser.dashboard(owner.organization_id);
    const shownTo = async (email: string, browser = openBrowser(service)) => {
      const { link } = await invitations.create.mutate({ email, role: "viewer", mailed: false });
      const token = link?.split("#")[1] ?? "";
      return (await browser.post("/auth/invitations/get", { token })).body.data.has_account;
    };
    expect(await shownTo(joe.email)).toBeNull();
    expect(await shownTo(`nobody-${joe.email}`)).toBeNull();
    expect(await shownTo(joe.email, joe.browser)).toBe(true);
  });

  it("with a copied link is limited to 50 a day", async () => {
    const { browser, organization_id } = await newPerson(service);
    const { invitations } = browser.dashboard(organization_id);
    const copy = () =>
      codeOf(invitations.create.mutate({ email: "joe@example.com", role: "viewer", mailed: false }));
    const now = new Date();
    for (let count = 1; count < 50; count++) {
      await insertInvitation(service.database, {
        organization_id,
        id: newId(now),
        email: newEmail(),
        role: "viewer",
        mailed: false,
        invited_by: null,
        token_hash: randomBytes(32),
        created_at: now,
        expires_at: now,
      });
    }
    expect(await copy()).toBeNull();
    expect(await copy()).toBe("rate_limited");
    const mailed = { email: "joe@example.com", role: "viewer", mailed: true } as const;
    expect(await codeOf(invitations.create.mutate(mailed))).toBeNull();
  });

  it("refuses the person of another email, and one who is not signed in", async () => {
    const joe = await newPerson(service);
    const { token, email } = await invite(owner);
    const shown = await joe.browser.post("/auth/invitations/get", { token });
    expect(shown.body.data).toMatchObject({ email, signed_in_as: joe.email });
    const { body } = await accept(token, JOE, joe.browser);
    expect(body.error).toMatchObject({ code: "wrong_account", details: { email } });
    const taken = await invite(owner, { email: joe.email });
    expect((await accept(taken.token)).body.error.code).toBe("wrong_account");
    expect((await accept(token)).status).toBe(200);
  });

  it("works once, also for two requests at the same time", async () => {
    const { token } = await invite(owner);
    const answers = await Promise.all([accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await accept(token)).body.error.code).toBe("invitation_invalid");
  });

  it.each(LOST_ANSWERS)(
    "is accepted with all that belongs to it, or not, when a call fails (%s)",
    async (kind) => {
      const { secrets_key } = ENDPOINT_POLICY;
      const browser = WAITING_BROWSER;
      await failEachCall(service.database_url, kind, async (database) => {
        const { token, id, email } = await invite(owner);
        const accepting = { database, secrets_key, user_id: null, browser };
        await acceptInvitation(accepting, { token, ...JOE }).catch(() => null);
        const [row] = await service.database<[{ accepted: boolean; members: number; entries: number }]>`
        select (select accepted_at is not null from invitations where id = ${id}) as accepted,
          (select count(*)::int from members join users on users.id = user_id where email = ${email}) as members,
          (select count(*)::int from audit_log_entries
            where resource = 'member' and after ->> 'email' = ${email}) as entries`;
        expect(row).toEqual(
          row.accepted
            ? { accepted: true, members: 1, entries: 1 }
            : { accepted: false, members: 0, entries: 0 },
        );
      });
    },
  );

  it("expires after seven days", async () => {
    const { token, id } = await invite(owner);
    await service.database`update invitations set expires_at = expires_at - interval '7 days' where id = ${id}`;
    const shown = await openBrowser(service).post("/auth/invitations/get", { token });
    expect(shown.body.error.code).toBe("invitation_invalid");
    expect((await accept(token)).body.error.code).toBe("invitation_invalid");
  });

  it("stops working when it is revoked, or replaced by another one", async () => {
    const { token, id, email } = await invite(owner);
    await owner.browser.dashboard(owner.organization_id).invitations.revoke.mutate({ id });
    expect((await accept(token)).body.error.code).toBe("invitation_invalid");
    const first = await invite(owner, { email });
    const second = await invite(owner, { email });
    expect((await accept(first.token)).body.error.code).toBe("invitation_invalid");
    expect((await accept(second.token)).status).toBe(200);
  });

  it("stops working when its inviter may no longer give the role", async () => {
    const { organization_id } = owner;
    const { members } = owner.browser.dashboard(organization_id);
    const demoted = await newPerson(service, { organization_id });
    const [of_owner, of_viewer] = [
      await invite(demoted, { role: "owner", mailed: false }),
      await invite(demoted, { role: "viewer", mailed: false }),
    ];
    await members.change.mutate({ user_id: demoted.user_id, role: "admin" });
    expect((await accept(of_owner.token)).body.error.code).toBe("invitation_invalid");
    expect((await accept(of_viewer.token)).status).toBe(200);
    for (const end of ["removed", "disabled"] as const) {
      const { user_id, email, browser } = await newPerson(service, { organization_id });
      const { token } = await invite({ user_id, email, browser, organization_id }, { mailed: false });
      if (end === "removed") await members.remove.mutate({ user_id });
      else await setUserDisabled(service.database, { email, disabled: true });
      expect((await accept(token)).body.error.code).toBe("invitation_invalid");
    }
  });

  it("refuses forged links", async () => {
    const { id } = await invite(owner);
    for (const token of [mailedToken(randomBytes(32), "invitation", id), id, ""]) {
      expect((await accept(token)).body.error.code).toBe("invitation_invalid");
    }
  });

  it("names each missing field of a new account", async () => {
    const { token } = await invite(owner);
    expect((await accept(token, {})).body.error.issues).toMatchObject([{ path: "name" }]);
    expect((await accept(token, { name: "Joe" })).body.error.issues).toMatchObject([{ path: "password" }]);
  });

  it("is mailed to one address three times at once, and then ever more slowly", async () => {
    const email = newEmail();
    const { invitations } = owner.browser.dashboard(owner.organization_id);
    const mail = () => codeOf(invitations.create.mutate({ email, role: "viewer" }));
    /** As if all of it had been earlier: ids and times. */
    const pass = (minutes: number) => service.database`
      update invitations set created_at = created_at - make_interval(mins => ${minutes}) where email = ${email}`;
    expect([await mail(), await mail(), await mail(), await mail()]).toEqual([
      null,
      null,
      null,
      "rate_limited",
    ]);
    expect(await codeOf(invitations.create.mutate({ email, role: "viewer", mailed: false }))).toBeNull();
    for (const minutes of [10, 60, 6 * 60, 24 * 60, 24 * 60]) {
      await pass(minutes - 1);
      expect(await mail()).toBe("rate_limited");
      await pass(2);
      expect(await mail()).toBeNull();
    }
    const { email: other } = await invite(owner);
    expect(other).not.toBe(email);
  });

  it("is mailed at most 200 times a day by one organization", async () => {
    const { organization_id, browser } = await newPerson(service);
    const { invitations } = browser.dashboard(organization_id);
    const mail = () => codeOf(invitations.create.mutate({ email: newEmail(), role: "viewer" }));
    expect(await mail()).toBeNull();
    const now = new Date();
    for (let count = 1; count < 200; count++) {
      await insertInvitation(service.database, {
        organization_id,
        id: newId(now),
        email: newEmail(),
        role: "viewer",
        mailed: true,
        invited_by: null,
        token_hash: randomBytes(32),
        created_at: now,
        expires_at: now,
      });
    }
    expect(await mail()).toBe("rate_limited");
    await service.database`delete from invitations where id = (select max(id::text)::uuid from invitations)`;
    expect(await mail()).toBeNull();
  });

  it("is not made for a member, and none by people without the right", async () => {
    const { invitations } = owner.browser.dashboard(owner.organization_id);
    const again = invitations.create.mutate({ email: owner.email, role: "viewer" });
    expect(await codeOf(again)).toBe("member_exists");
    const { organization_id } = owner;
    const admin = await newPerson(service, { organization_id, role: "admin" });
    const viewer = await newPerson(service, { organization_id, role: "viewer" });
    const by = (person: Person, role: Role) =>
      codeOf(
        person.browser.dashboard(organization_id).invitations.create.mutate({ email: newEmail(), role }),
      );
    expect(await by(admin, "owner")).toBe("forbidden_role");
    expect(await by(admin, "admin")).toBeNull();
    expect(await by(viewer, "viewer")).toBe("forbidden_role");
  });
});

describe("a copied link", () => {
  it("makes an account with an unconfirmed email, which its user can confirm by a mail", async () => {
    const { token, email } = await invite(owner, { mailed: false });
    const browser = openBrowser(service);
    expect((await accept(token, JOE, browser)).status).toBe(200);
    const { credentials } = browser.account;
    expect((await credentials.get.query()).email_verified).toBe(false);
    const [mail] = await service.database<{ about: string }[]>`
      select about from mails where kind = 'email_confirmation' and recipient = ${email}`;
    const confirmation = mailedToken(ENDPOINT_POLICY.secrets_key, "email", mail?.about ?? "");
    const other = owner.browser.account.credentials.confirm_email.mutate({ token: confirmation });
    expect(await codeOf(other)).toBe("link_invalid");
    for (let request = 0; request < 3; request++) await credentials.request_confirmation.mutate({});
    const { id: user_id } = (await browser.account.me.get.query()).user;
    const { secrets_key } = ENDPOINT_POLICY;
    const mailAgain = () => requestConfirmation({ database: service.database, secrets_key }, user_id);
    await mailAgain();
    // More would flood the mailbox of somebody who may not have asked.
    await expect(mailAgain()).rejects.toMatchObject({ code: "rate_limited" });
    await credentials.confirm_email.mutate({ token: confirmation });
    expect((await credentials.get.query()).email_verified).toBe(true);
    expect(await codeOf(credentials.confirm_email.mutate({ token: confirmation }))).toBe("link_invalid");
  });

  it("is confirmed by three mails a minute at most", async () => {
    const askFourTimes = async () => {
      const { request_confirmation } = (await newPerson(service)).browser.account.credentials;
      return await Promise.all(Array.from({ length: 4 }, () => codeOf(request_confirmation.mutate({}))));
    };
    let codes = await askFourTimes();
    // A minute of the process ended between the requests, and another one has begun.
    if (!codes.includes("rate_limited")) codes = await askFourTimes();
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(1);
  });

  it("gives nobody an account that another organization invites later", async () => {
    const { token, email } = await invite(owner, { mailed: false });
    const stranger = openBrowser(service);
    await accept(token, JOE, stranger);
    const other_owner = await newPerson(service);
    const copied = await invite(other_owner, { email, mailed: false });
    expect((await accept(copied.token, {}, stranger)).body.error.code).toBe("email_unconfirmed");
    const mailed = await invite(other_owner, { email });
    expect((await accept(mailed.token, {}, stranger)).status).toBe(200);
  });

  it("is the only way without a public address", async () => {
    const local = await startTestService();
    try {
      const person = await newPerson(local);
      const { invitations } = person.browser.dashboard(person.organization_id);
      const email = newEmail();
      expect(await codeOf(invitations.create.mutate({ email, role: "admin" }))).toBe("invalid_request");
      const { link } = await invitations.create.mutate({ email, role: "admin", mailed: false });
      expect(link).toMatch(new RegExp(`^${local.url}/invitation#[\\w-]{43}$`));
    } finally {
      await local.close();
    }
  });
});
