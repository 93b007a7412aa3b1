import { hash, randomUUID } from "node:crypto";
import { ERRORS } from "@findersfee/contract/errors";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { call, type Input, type Outcome, operations, surfaces } from "../operations.ts";
import { createProgram, type Program, storedRows } from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";
import { NOTHING_ELSE, validInput } from "../valid-inputs.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

/** Of concurrent requests. */
const ROUNDS = FULL_TESTS ? 8 : 2;

/** Every operation that creates a row; a new one is included automatically. */
const creates = operations.filter(({ name }) => name.endsWith(".create")).map(({ name }) => name);

function inputOf(name: string): Input {
  return validInput(name, { ...program, ...NOTHING_ELSE });
}

function send(
  surface: (typeof surfaces)[number],
  name: string,
  { input, key, client = organization }: { input: Input; key: string; client?: TestClient },
): Promise<Outcome> {
  return call(surface, client, { name, input, headers: { "idempotency-key": key } });
}

function isReplay({ headers }: Outcome): boolean {
  return headers.get("idempotency-replayed") === "true";
}

/** The same value with the fields of each object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

const CONFLICT = { code: "idempotency_conflict", message: ERRORS.idempotency_conflict.message };

describe.each(creates)("%s", (name) => {
  // Keys are read and stored before any operation: in the short form, one stands for all.
  const itOfKeys = it.runIf(FULL_TESTS || name === creates[0]);

  it.each(surfaces)("replays the response over %s without changing anything", async (surface) => {
    const [input, key] = [inputOf(name), randomUUID()];
    const first = await send(surface, name, { input, key });
    expect([first.error, isReplay(first)]).toEqual([null, false]);
    const before = await storedRows(service.database);
    for (const again of surfaces) {
      const replay = await send(again, name, { input, key });
      expect([replay.status, isReplay(replay)]).toEqual([200, true]);
      expect(JSON.stringify(replay.data)).toBe(JSON.stringify(first.data));
    }
    expect(await storedRows(service.database)).toEqual(before);
  });

  itOfKeys.each(surfaces)("replays the response over %s for the fields in another order", async (surface) => {
    const [input, key] = [inputOf(name), randomUUID()];
    const first = await send("rest", name, { input, key });
    const replay = await send(surface, name, { input: reversed(input) as Input, key });
    expect([replay.status, isReplay(replay)]).toEqual([200, true]);
    expect(replay.data).toEqual(first.data);
  });

  itOfKeys("replays responses that an earlier version stored with a hash of the body", async () => {
    const [input, key] = [inputOf(name), randomUUID()];
    const first = await send("rest", name, { input, key });
    const stored = hash("sha256", `${name}\n${JSON.stringify(input)}`, "buffer");
    await service.database`update idempotency_keys set request_hash = ${stored} where key = ${key}`;
    const replay = await send("rest", name, { input, key });
    expect([replay.data, isReplay(replay)]).toEqual([first.data, true]);
    expect((await send("rest", name, { input: inputOf(name), key })).error).toMatchObject(CONFLICT);
  });

  it("rejects the key with another body or operation", async () => {
    const [input, key] = [inputOf(name), randomUUID()];
    await send("rest", name, { input, key });
    const before = await storedRows(service.database);
    const other = creates.find((create) => create !== name) ?? "";
    for (const surface of surfaces) {
      expect((await send(surface, name, { input: inputOf(name), key })).error).toMatchObject(CONFLICT);
      expect((await send(surface, other, { input: inputOf(other), key })).error).toMatchObject(CONFLICT);
      // Not even with an invalid body.
      expect((await send(surface, name, { input: {}, key })).error?.code).toBe("invalid_request");
    }
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("creates one row from concurrent requests with one key", async () => {
    const table = name === "conversions.create" ? "leads" : name.replace(".create", "");
    for (let round = 0; round < ROUNDS; round++) {
      const [input, key] = [inputOf(name), randomUUID()];
      const [{ before }] = await service.database<[{ before: number }]>`
        select count(*)::int as before from ${service.database(table)}`;
      const answers = await Promise.all(
        [...surfaces, ...surfaces, ...surfaces].map((surface) => send(surface, name, { input, key })),
      );
      const [{ after }] = await service.database<[{ after: number }]>`
        select count(*)::int as after from ${service.database(table)}`;
      expect(after - before).toBe(1);
      const successes = answers.filter(({ error }) => error === null);
      expect(successes.filter((answer) => !isReplay(answer))).toHaveLength(1);
      expect(new Set(successes.map(({ data }) => data.id)).size).toBe(1);
      for (const { error } of answers) expect(error ?? CONFLICT).toMatchObject(CONFLICT);
    }
  });

  itOfKeys("expires the key after 24 hours", async () => {
    const [input, key] = [inputOf(name), randomUUID()];
    const { organization_id } = organization;
    const age = (interval: string) => service.database`
      update idempotency_keys set created_at = created_at - ${interval}::interval
      where organization_id = ${organization_id} and key = ${key}`;
    await send("rest", name, { input, key });
    await age("23 hours 59 minutes");
    expect(isReplay(await send("rest", name, { input, key }))).toBe(true);
    await age("2 minutes");
    const fresh = inputOf(name);
    const second = await send("rest", name, { input: fresh, key });
    expect([second.error, isReplay(second)]).toEqual([null, false]);
    // From then on the key stands for the new response.
    expect((await send("rest", name, { input: fresh, key })).data).toEqual(second.data);
    expect((await send("rest", name, { input, key })).error).toMatchObject(CONFLICT);
  });

  it("is scoped to its organization", async () => {
    const key = randomUUID();
    await send("rest", name, { input: inputOf(name), key });
    program = await createProgram(service);
    const other = await send("rest", name, {
      input: inputOf(name),
      key,
      client: program.organization,
    });
    expect([other.error, isReplay(other)]).toEqual([null, false]);
  });

  itOfKeys.each([
    ["an empty key", ""],
    ["256 characters", "k".repeat(256)],
  ])("rejects %s", async (_what, key) => {
    const before = await storedRows(service.database);
    for (const surface of surfaces) {
      const { error } = await send(surface, name, { input: inputOf(name), key });
      expect(error).toMatchObject({
        code: "invalid_request",
        issues: [{ path: "Idempotency-Key", message: "Must be 1 to 255 characters." }],
      });
    }
    expect(await storedRows(service.database)).toEqual(before);
  });

  itOfKeys("accepts 255 characters of any kind valid in a header", async () => {
    const key = `${"k".repeat(253)}\u00e9'`;
    const input = inputOf(name);
    const first = await send("rest", name, { input, key });
    expect(first.error).toBeNull();
    expect((await send("trpc", name, { input, key })).data).toEqual(first.data);
  });
});

it("stores no error: the same request may succeed later", async () => {
  const key = randomUUID();
  const { affiliate, referral } = program;
  const conflicting = { affiliate_id: affiliate.id, email: "customer@example.com" };
  expect((await send("rest", "referrals.create", { input: conflicting, key })).error?.code).toBe(
    "referral_exists",
  );
  await organization.trpc.referrals.update.mutate({ id: referral.id, email: "moved@example.com" });
  const second = await send("rest", "referrals.create", { input: conflicting, key });
  expect([second.error, isReplay(second)]).toEqual([null, false]);

  const commission = { referral_id: referral.id, revenue_amount: 1, commission_amount: 1 };
  const taken = { ...commission, processor_payment_id: "pi_1" };
  const another = randomUUID();
  expect((await send("rest", "commissions.create", { input: taken, key: another })).error?.code).toBe(
    "commission_exists",
  );
  const free = { ...commission, processor_payment_id: "pi_2" };
  expect((await send("rest", "commissions.create", { input: free, key: another })).error).toBeNull();
});

it("replays the response even if the subscription has ended and the data has changed", async () => {
  const { organization_id: id } = organization;
  const stored = [];
  for (const name of ["referrals.create", "commissions.create"]) {
    const [input, key] = [inputOf(name), randomUUID()];
    stored.push({ name, input, key, data: (await send("rest", name, { input, key })).data });
  }
  await organization.trpc.affiliates.update.mutate({ id: program.affiliate.id, first_name: "Other" });
  await service.database`update organizations set subscription_status = 'canceled' where id = ${id}`;
  await expect
    .poll(async () => {
      const name = "referrals.create";
      return (await call("rest", organization, { name, input: inputOf(name) })).error?.code;
    })
    .toBe("subscription_error");
  for (const { name, input, key, data } of stored) {
    const replay = await send("rest", name, { input, key });
    expect([replay.error, isReplay(replay)]).toEqual([null, true]);
    expect(replay.data).toEqual(data);
  }
});

it("ignores PUT, which is idempotent", async () => {
  const key = randomUUID();
  const id = program.affiliate.id;
  for (const first_name of ["One", "Two", "One"]) {
    const answer = await send("rest", "affiliates.update", { input: { id, first_name }, key });
    expect([answer.data.first_name, isReplay(answer)]).toEqual([first_name, false]);
  }
});

it("compares the values of the request, not how they are written", async () => {
  const post = (body: string) =>
    fetch(`${service.url}/v1/referrals`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${organization.api_key}`,
        "content-type": "application/json",
        "idempotency-key": "written",
      },
      body,
    });
  const affiliate_id = program.affiliate.id;
  const first = await post(JSON.stringify({ affiliate_id, email: "kim@example.com" }));
  const text = `{ "email" : "kim\\u0040example.com",\n"affiliate_id": "${affiliate_id}" }`;
  const again = await post(text);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.json()).toEqual(await first.json());
});
