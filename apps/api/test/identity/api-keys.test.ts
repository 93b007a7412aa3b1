import { randomBytes } from "node:crypto";
import { ERRORS } from "@findersfee/contract/errors";
import { eventually } from "@findersfee/database/testing/eventually";
import { createApiKey, type Scope } from "@findersfee/domain/identity/api-keys/create";
import { revokeApiKey } from "@findersfee/domain/identity/api-keys/revoke";
import { updateOrganization } from "@findersfee/domain/organizations/update";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call, errorOf, operations, surfaces } from "../operations.ts";
import { addOverridable } from "../overridable.ts";
import { addAdjustment, addLead, createProgram, insertPayout, storedRows } from "../program.ts";
import { type Surfaces, startTestService, type TestService } from "../test-service.ts";
import { type Known, NOT_IN_REVIEW, validInput } from "../valid-inputs.ts";

let service: TestService;
let known: Known;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  const program = await createProgram(service);
  const payout_id = await insertPayout(service.database, program);
  const { organization_id } = program.organization;
  const [event] = await service.database<[{ id: string }]>`
    select id from events where organization_id = ${organization_id} limit 1`;
  const adjustment_id = await addAdjustment(program);
  const lead_id = await addLead(program);
  known = {
    ...program,
    ...(await addOverridable(service, program)),
    payout_id,
    adjustment_id,
    lead_id,
    event_id: event.id,
  };
});

const UNAUTHORIZED = { code: "unauthorized", message: ERRORS.unauthorized.message };

async function clientWith(
  scopes: Scope[],
  expires_at: Date | null = null,
): Promise<Surfaces & { id: string }> {
  const { organization_id } = known.organization;
  const key = await createApiKey(service.database, { organization_id, name: "Test", scopes, expires_at });
  return { ...service.client(key.token), id: key.id };
}

/** The code of a valid call's answer; null: it succeeds. */
function codeOf(name: string): string | null {
  return NOT_IN_REVIEW.includes(name) ? "commission_locked" : null;
}

describe("scopes", () => {
  const KEYS: { scopes: Scope[]; reads: boolean; writes: boolean }[] = [
    { scopes: ["read"], reads: true, writes: false },
    { scopes: ["write"], reads: false, writes: true },
    { scopes: ["read", "write"], reads: true, writes: true },
    // A publishable key.
    { scopes: ["track"], reads: false, writes: false },
  ];

  it.each(KEYS)("$scopes may read: $reads, may write: $writes, for every operation", async (key) => {
    const client = await clientWith(key.scopes);
    const isAllowed = ({ type }: (typeof operations)[number]) => (type === "query" ? key.reads : key.writes);
    for (const { name } of operations.filter(isAllowed)) {
      for (const surface of surfaces) {
        const { error } = await call(surface, client, { name, input: validInput(name, known) });
        expect([name, error?.code ?? null]).toEqual([name, codeOf(name)]);
      }
    }
    const before = await storedRows(service.database);
    for (const { name, type } of operations.filter((operation) => !isAllowed(operation))) {
      const scope = type === "query" ? "read" : "write";
      expect([name, await errorOf(client, name, validInput(name, known))]).toEqual([
        name,
        {
          code: "insufficient_scope",
          message: `This operation needs an API key with the scope \`${scope}\`.`,
        },
      ]);
    }
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("are checked before the input, so a key without the scope learns nothing", async () => {
    const client = await clientWith(["write"]);
    expect(await errorOf(client, "affiliates.get", { id: "nonsense" })).toMatchObject({
      code: "insufficient_scope",
    });
  });
});

describe("invalid keys", () => {
  it("get the same response from every operation", async () => {
    const revoked = await clientWith(["read", "write"]);
    await revokeApiKey(service.database, revoked.id);
    const expired = await clientWith(["read", "write"], new Date(Date.now() + 1000));
    await service.database`update api_keys set expires_at = now() - interval '1 second' where id = ${expired.id}`;
    const unknown = `ff_sk_${randomBytes(40).toString("hex").slice(0, 43)}`;
    const others = ["", "x", "ff_sk_short", `${known.organization.api_key}x`, unknown].map(service.client);
    const before = await storedRows(service.database);
    for (const client of [revoked, expired, ...others]) {
      for (const { name } of operations) {
        expect(await errorOf(client, name, validInput(name, known))).toEqual(UNAUTHORIZED);
      }
    }
    expect(await storedRows(service.database)).toEqual(before);
  });

  it.each([
    ["none", {}],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["no scheme", { authorization: "KEY" }],
    ["two words", { authorization: "Bearer KEY more" }],
    ["a scheme alone", { authorization: "Bearer" }],
  ])("get the same response in a header with %s", async (_what, headers: Record<string, string>) => {
    const authorization = headers.authorization?.replace("KEY", known.organization.api_key);
    const sent = authorization === undefined ? {} : { authorization };
    const rest = await fetch(`${service.url}/v1/campaigns`, { headers: sent });
    const trpc = await fetch(`${service.url}/v1/trpc/campaigns.list?input=%7B%7D`, { headers: sent });
    expect([rest.status, trpc.status]).toEqual([401, 401]);
    expect(await rest.json()).toMatchObject({ success: false, error: UNAUTHORIZED });
    expect(await trpc.json()).toMatchObject({ error: { data: UNAUTHORIZED } });
  });

  it("accept the scheme in any case (RFC 6750)", async () => {
    const headers = { authorization: `bearer  ${known.organization.api_key}` };
    expect((await fetch(`${service.url}/v1/campaigns`, { headers })).status).toBe(200);
  });
});

describe("changes while a process runs", () => {
  /** How long after `change` a request still got the old response, in milliseconds. */
  async function lag(change: () => Promise<unknown>, isOld: () => Promise<boolean>): Promise<number> {
    // The process has just cached the old state.
    expect(await isOld()).toBe(true);
    await change();
    const changed_at = performance.now();
    for (let last_old = 0; ; ) {
      const sent_at = performance.now() - changed_at;
      if (sent_at > 3000 || !(await isOld())) return last_old;
      last_old = sent_at;
    }
  }

  it("rejects a revoked key within a second, on both surfaces", async () => {
    for (const surface of surfaces) {
      const client = await clientWith(["read"]);
      const ask = () => call(surface, client, { name: "campaigns.list" });
      const works = async () => (await ask()).error === null;
      expect(await lag(() => revokeApiKey(service.database, client.id), works)).toBeLessThan(1000);
      expect((await ask()).error).toMatchObject(UNAUTHORIZED);
    }
  });

  it("rejects a key at its expiry although it is cached", async () => {
    let milliseconds = 400;
    const cached = async () => {
      milliseconds *= 2;
      const expires_at = new Date(Date.now() + milliseconds);
      const client = await clientWith(["read"], expires_at);
      const ask = () => call("rest", client, { name: "campaigns.list" });
      // On a busy machine, a key has expired before it was asked with.
      expect((await ask()).error).toBeNull();
      return { expires_at, ask };
    };
    const { expires_at, ask } = await eventually(cached);
    const now = async () => {
      await ask();
      return Date.now();
    };
    await expect.poll(now).toBeGreaterThanOrEqual(expires_at.getTime());
    expect((await ask()).error).toMatchObject(UNAUTHORIZED);
  });

  it.each(["canceled", "past_due"] as const)(
    "notices a subscription that is %s within a second",
    async (status) => {
      const { organization_id: id } = known.organization;
      const set = (subscription_status: typeof status | "trialing") =>
        updateOrganization(service.database, { id, subscription_status });
      const create = async () => {
        const input = validInput("referrals.create", known);
        return (await call("rest", known.organization, { name: "referrals.create", input })).error?.code;
      };
      expect(
        await lag(
          () => set(status),
          async () => (await create()) === undefined,
        ),
      ).toBeLessThan(1000);
      expect(await create()).toBe("subscription_error");
      const is_refused = async () => (await create()) === "subscription_error";
      expect(await lag(() => set("trialing"), is_refused)).toBeLessThan(1000);
    },
  );
});

describe("an organization without a subscription", () => {
  const NEEDS_SUBSCRIPTION = ["referrals.create", "commissions.create", "conversions.create"];

  it("is rejected by exactly the operations that require one", async () => {
    const { organization_id: id } = known.organization;
    await service.database`update organizations set subscription_status = 'canceled' where id = ${id}`;
    // This process has not cached the key yet.
    const client = await clientWith(["read", "write"]);
    for (const { name } of operations) {
      const input = validInput(name, known);
      if (NEEDS_SUBSCRIPTION.includes(name)) {
        const before = await storedRows(service.database);
        expect(await errorOf(client, name, input)).toEqual({
          code: "subscription_error",
          message: ERRORS.subscription_error.message,
        });
        expect(await storedRows(service.database)).toEqual(before);
      } else {
        const { error } = await call("rest", client, { name, input });
        expect([name, error?.code ?? null]).toEqual([name, codeOf(name)]);
      }
    }
  });

  it("is declared in the operations' metadata", () => {
    const declared = operations.filter(({ errors }) => errors.includes("subscription_error"));
    expect(declared.map(({ name }) => name)).toEqual(NEEDS_SUBSCRIPTION);
  });
});
