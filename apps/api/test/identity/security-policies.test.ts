/*
 * The owners' requirements for everybody in an organization: each policy over HTTP, with the errors that it
 * causes.
 */
import { eventually } from "@findersfee/database/testing/eventually";
import { liftSecurityPolicies } from "@findersfee/domain/identity/policies/update";
import { signIn } from "@findersfee/domain/testing/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type StaffClient, startTestService, type TestClient, type TestService } from "../test-service.ts";
import { awayFromTheHour } from "../tracking-program.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ trust_proxy: ["127.0.0.1"] });
});

afterAll(() => service.close());

/** An owner who has just confirmed who they are, and has an authenticator app if asked for. */
async function owner(organization: TestClient, { app = false } = {}): Promise<StaffClient> {
  const staff = await service.staff(organization.organization_id, "owner");
  await service.database`update user_sessions set confirmed_at = now() where user_id = ${staff.user_id}`;
  await service.database`update users set two_factor_enabled = ${app} where id = ${staff.user_id}`;
  return staff;
}

interface Answer {
  status: number;
  code: string | null;
  message: string | null;
}

/** Reads settings as a person or program behind an address. */
async function read(headers: Record<string, string>, address?: string): Promise<Answer> {
  const response = await fetch(`${service.url}/trpc/dashboard.settings.get`, {
    headers: { ...headers, ...(address === undefined ? {} : { "x-forwarded-for": address }) },
  });
  // biome-ignore lint/suspicious/noExplicitAny: other tests validate the bodies
  const { error }: any = await response.json();
  return { status: response.status, code: error?.data?.code ?? null, message: error?.message ?? null };
}

const OPEN = { status: 200, code: null };

const issueOf = (code: string, path: string) => ({ data: { code, issues: [{ path }] } });

it("is changed by owners alone, with a recent confirmation, an audit log entry and a security event", async () => {
  const organization = await service.organization();
  const staff = await owner(organization);
  await service.database`update user_sessions set confirmed_at = null where user_id = ${staff.user_id}`;
  const { security_policy } = staff.trpc.dashboard;
  await expect(security_policy.update.mutate({ session_hours: 8 })).rejects.toMatchObject({
    data: { code: "sign_in_again" },
  });
  await service.database`update user_sessions set confirmed_at = now() where user_id = ${staff.user_id}`;
  const changed = await security_policy.update.mutate({ session_hours: 8 });
  expect(changed).toMatchObject({ session_hours: 8, idle_minutes: null, key_networks: [] });
  const entries = await service.database`
    select actor, before, after from audit_log_entries
    where organization_id = ${organization.organization_id} and resource = 'settings'`;
  expect(entries).toMatchObject([
    { actor: `user ${staff.user_id}`, before: { session_hours: null }, after: { session_hours: 8 } },
  ]);
  const events = await service.database`select kind from security_events where user_id = ${staff.user_id}`;
  expect([...events]).toEqual([{ kind: "policies_changed" }]);
  const admin = await service.staff(organization.organization_id, "admin");
  await expect(admin.trpc.dashboard.security_policy.update.mutate({})).rejects.toMatchObject({
    data: { code: "forbidden_role" },
  });
});

it("keeps members without an authenticator app out of this organization alone", async () => {
  const organization = await service.organization();
  const other = await service.organization();
  const without = await owner(organization);
  const change = { second_factor_required: true };
  await expect(without.trpc.dashboard.security_policy.update.mutate(change)).rejects.toMatchObject(
    issueOf("invalid_request", "second_factor_required"),
  );
  const staff = await owner(organization, { app: true });
  const member = await service.staff(organization.organization_id, "viewer");
  await service.database`
    insert into members (organization_id, user_id, role, created_at)
    values (${other.organization_id}, ${member.user_id}, 'viewer', now())`;
  expect(await read(member.headers)).toMatchObject(OPEN);
  await staff.trpc.dashboard.security_policy.update.mutate(change);
  expect(await read(member.headers)).toMatchObject({ status: 403, code: "second_factor_required" });
  expect(await read(staff.headers)).toMatchObject(OPEN);
  const elsewhere = { ...member.headers, "findersfee-organization": other.organization_id };
  expect(await read(elsewhere)).toMatchObject(OPEN);
  const members = await staff.trpc.dashboard.members.list.query();
  expect(members.find(({ user_id }) => user_id === member.user_id)).toMatchObject({
    has_authenticator_app: false,
  });
  // Keys are not affected.
  expect((await organization.rest("GET", "/campaigns")).status).toBe(200);
  await service.database`update users set two_factor_enabled = true where id = ${member.user_id}`;
  await eventually(async () => expect(await read(member.headers)).toMatchObject(OPEN));
});

it("asks for another sign-in after hours, and after idle minutes, which the next request does not hide", async () => {
  const organization = await service.organization();
  const staff = await owner(organization);
  const member = await service.staff(organization.organization_id, "viewer");
  const age = (hours: number) => service.database`
    update user_sessions set created_at = now() - make_interval(hours => ${hours}) where user_id = ${member.user_id}`;
  await age(9);
  expect(await read(member.headers)).toMatchObject(OPEN);
  await staff.trpc.dashboard.security_policy.update.mutate({ session_hours: 8 });
  expect(await read(member.headers)).toMatchObject({ status: 403, code: "session_limited" });
  await age(7);
  await staff.trpc.dashboard.security_policy.update.mutate({ session_hours: null, idle_minutes: 30 });
  await eventually(async () => expect(await read(member.headers)).toMatchObject(OPEN));
  const idle = await signIn(service.database, { ...organization, role: "viewer" });
  await service.database`
    update user_sessions set updated_at = now() - interval '40 minutes' where id = ${idle.session_id}`;
  const headers = { cookie: idle.cookie, "findersfee-organization": organization.organization_id };
  expect(await read(headers)).toMatchObject({ status: 403, code: "session_limited" });
  // The request was noted as a use of the session.
  await eventually(async () => {
    const [row] = await service.database`
      select updated_at > now() - interval '1 minute' as is_used from user_sessions where id = ${idle.session_id}`;
    expect(row?.is_used).toBe(true);
  });
  await staff.trpc.dashboard.security_policy.update.mutate({ session_hours: 700 });
  expect(await read(headers)).toMatchObject({ status: 403, code: "session_limited" });
});

it("admits members from their networks alone, records refusals once, and refuses to lock its author out", async () => {
  await awayFromTheHour();
  const organization = await service.organization();
  const staff = await owner(organization);
  const update = staff.trpc.dashboard.security_policy.update.mutate;
  await expect(update({ staff_networks: ["192.0.2.0/24"] })).rejects.toMatchObject(
    issueOf("invalid_request", "staff_networks"),
  );
  for (const bad of [
    "192.0.2.0/33",
    "x",
    "fe80::1%eth0",
    "::ffff:192.0.2.1",
    "192.0.2.0/24/1",
    "2001:db8::/129",
  ]) {
    await expect(update({ staff_networks: ["127.0.0.0/8", bad] })).rejects.toMatchObject(
      issueOf("invalid_request", "staff_networks[1]"),
    );
  }
  const saved = await update({
    staff_networks: ["127.0.0.1/8", "127.0.0.0/8", "192.0.2.7", "2001:db8::5/32"],
  });
  expect(saved.staff_networks).toEqual(["127.0.0.0/8", "192.0.2.7/32", "2001:db8::/32"]);
  const member = await service.staff(organization.organization_id, "viewer");
  for (const address of ["192.0.2.7", "2001:db8:1::9", "::ffff:192.0.2.7"]) {
    expect(await read(member.headers, address)).toMatchObject(OPEN);
  }
  const refused = { status: 403, code: "network_not_allowed" };
  for (let time = 0; time < 5; time++) {
    const answer = await read(member.headers, "198.51.100.4");
    expect(answer).toMatchObject(refused);
    expect(answer.message).toContain("198.51.100.4");
  }
  const recorded = () => service.database`
    select kind, times, ip_address from security_events where user_id = ${member.user_id}`;
  await expect
    .poll(recorded)
    .toMatchObject([{ kind: "network_refused", times: 1, ip_address: "198.51.100.4" }]);
});

it("admits secret keys from their networks alone, and publishable keys from anywhere", async () => {
  const organization = await service.organization();
  const staff = await owner(organization);
  await staff.trpc.dashboard.security_policy.update.mutate({ key_networks: ["192.0.2.0/24"] });
  const from = (address: string) =>
    organization.rest("GET", "/campaigns", undefined, { "x-forwarded-for": address });
  expect((await from("192.0.2.200")).status).toBe(200);
  const refused = await from("198.51.100.4");
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "network_not_allowed" } } });
  await expect
    .poll(
      () =>
        service.database`select kind from security_events where user_id = ${staff.user_id} and hour is not null`,
    )
    .toEqual([{ kind: "key_network_refused" }]);
  const click = await fetch(`${service.url}/track/click?key=${organization.publishable_key}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.4" },
    body: JSON.stringify({ key: organization.publishable_key }),
  });
  expect(await click.text()).not.toContain("network_not_allowed");
});

it("needs a second member for approvals, and is lifted by the operator", async () => {
  const organization = await service.organization();
  const staff = await owner(organization);
  const update = staff.trpc.dashboard.security_policy.update.mutate;
  await expect(update({ approval_amounts: { USD: 5000 } })).rejects.toMatchObject(
    issueOf("invalid_request", "approval_amounts"),
  );
  await service.staff(organization.organization_id, "admin");
  await expect(update({ approval_amounts: { JPY: 0.5 } })).rejects.toMatchObject(
    issueOf("invalid_request", "approval_amounts.JPY"),
  );
  expect(await update({ approval_amounts: { USD: 5000 } })).toMatchObject({
    approval_amounts: { USD: 5000 },
  });
  await update({ staff_networks: ["127.0.0.1"] });
  const context = {
    database: service.database,
    organization: {
      id: organization.organization_id,
      currency: "USD",
      subscription_status: "active" as const,
    },
    actor: { kind: "operator" as const },
    idempotency: null,
    notifyWorkers: () => {},
  };
  const lifted = await liftSecurityPolicies(context, ["staff-networks", "approval"]);
  expect(lifted).toMatchObject({ staff_networks: [], approval_amounts: null });
  expect(await read(staff.headers, "198.51.100.4")).toMatchObject(OPEN);
});
