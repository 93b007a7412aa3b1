import { ERRORS } from "@findersfee/contract/errors";
import { extent, seedOf } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ObservedAnswer, validatorFor } from "../openapi/validator.ts";
import { type Operation, operations, surfaces } from "../operations.ts";
import {
  addAdjustment,
  addLead,
  createProgram,
  insertPayout,
  type Program,
  payCommission,
  storedRows,
} from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { inputOf, RowId } from "./random-inputs.ts";
import { type Mutation, mutate, mutation } from "./random-mutations.ts";

/** Set both to repeat a run; a failing run prints RANDOM_SEED. */
const REQUESTS = extent("RANDOM_REQUESTS", { short: 400, full: 3_000 });
const SEED = seedOf("RANDOM_SEED");
/** The number of concurrent requests, so that they also interact. */
const TOGETHER = 10;

let service: TestService;
let program: Program;
let others: Program;
let validate: (answer: ObservedAnswer) => void;
/** Ids of existing rows, by resource; `others` belong to another organization. */
const rows: Record<string, string[]> = {};
const statuses = new Map<string, number>();

beforeAll(async () => {
  service = await startTestService();
  program = await createProgram(service);
  others = await createProgram(service);
  const document = await fetch(`${service.url}/v1/openapi.json`);
  validate = validatorFor(JSON.parse(await document.text())).validateResponse;
  const payout_id = await insertPayout(service.database, program);
  await payCommission(service.database, program, { payout_id, payout_status: "pending" });
  const events = await program.organization.trpc.events.list.query({ limit: 100 });
  rows.campaigns = [program.campaign.id];
  rows.affiliates = [program.affiliate.id];
  rows.referrals = [program.referral.id];
  rows.commissions = [program.commission.id];
  rows.adjustments = [await addAdjustment(program)];
  rows.leads = [await addLead(program)];
  rows.payouts = [payout_id];
  rows.events = events.data.map(({ id }) => id);
  rows.others = [others.campaign.id, others.affiliate.id, others.referral.id, others.commission.id];
});

afterAll(() => service.close());

interface RandomRequest {
  operation: Operation;
  surface: (typeof surfaces)[number];
  input: Record<string, unknown>;
  mutations: Mutation[];
  /** How the body's text is corrupted. */
  spoil: { kind: "cut" | "insert" | "repeat"; at: number } | null;
  idempotency_key: string | null;
}

/** With probability 1/`times`; otherwise null. */
function seldom<Value>(times: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const request: fc.Arbitrary<RandomRequest> = fc.constantFrom(...operations).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    surface: fc.constantFrom(...surfaces),
    input: inputOf(operation),
    mutations: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Mutation[]>([]) },
      { weight: 2, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
    ),
    spoil: seldom(
      40,
      fc.record({
        kind: fc.constantFrom("cut" as const, "insert" as const, "repeat" as const),
        at: fc.nat(),
      }),
    ),
    idempotency_key: seldom(15, fc.constantFrom("a", "b", "\u00e9", "x".repeat(256))),
  }),
);

function resolve(value: unknown): unknown {
  if (value instanceof RowId) {
    const ids = rows[value.resource] ?? [];
    // Prefers newer rows, since older ones have been used more.
    return ids.at(-1 - (value.index % Math.max(1, ids.length))) ?? "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
  }
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each)]));
}

/** Serializes `__proto__` as a member, and preserves the sign of -0. */
function textOf(value: unknown): string {
  return Object.is(value, -0) ? "-0" : (JSON.stringify(value) ?? "null");
}

function spoiled(text: string, spoil: RandomRequest["spoil"]): string {
  if (spoil === null) return text;
  const at = spoil.at % Math.max(1, text.length);
  switch (spoil.kind) {
    case "cut":
      return text.slice(0, at);
    case "insert":
      return `${text.slice(0, at)}\0${text.slice(at)}`;
    case "repeat":
      return text.replace(/^\{("[^"]+":[^,{[]+),/, "{$1,$1,");
  }
}

/** Lists as the document defines them for queries; values that need JSON cannot be in a URL. */
function queryText(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

interface Sent {
  path: string;
  init: RequestInit;
}

function restRequest({ operation, spoil }: RandomRequest, input: unknown): Sent {
  const fields: Record<string, unknown> = typeof input === "object" && input !== null ? { ...input } : {};
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = fields[name];
    delete fields[name];
    return encodeURIComponent(
      queryText(value ?? "")
        .slice(0, 2_000)
        .toWellFormed(),
    );
  });
  const { method } = operation;
  if (method !== "GET") return { path: `/v1${path}`, init: { method, body: spoiled(textOf(fields), spoil) } };
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => {
    return [name, queryText(value).slice(0, 5_000)];
  });
  if (spoil?.kind === "repeat") pairs.push(...pairs);
  return { path: `/v1${path}?${new URLSearchParams(pairs)}`, init: { method } };
}

function trpcRequest({ operation, spoil }: RandomRequest, input: unknown): Sent {
  const text = spoiled(textOf(input), spoil);
  if (operation.type === "mutation")
    return { path: `/v1/trpc/${operation.name}`, init: { method: "POST", body: text } };
  const query = encodeURIComponent(text.slice(0, 4_000).toWellFormed());
  return { path: `/v1/trpc/${operation.name}?input=${query}`, init: { method: "GET" } };
}

/** Sends a request and returns the response in REST's shape, as documented. */
async function send(random: RandomRequest): Promise<ObservedAnswer> {
  const { operation, surface, mutations, idempotency_key } = random;
  const input = resolve(mutations.reduce<unknown>((value, each) => mutate(value, each), random.input));
  const { path, init } = surface === "rest" ? restRequest(random, input) : trpcRequest(random, input);
  const headers = new Headers({ authorization: `Bearer ${program.organization.api_key}` });
  if (init.body !== undefined) headers.set("content-type", "application/json");
  if (idempotency_key !== null) headers.set("idempotency-key", idempotency_key);
  const response = await fetch(service.url + path, { ...init, headers });
  const { status } = response;
  const body: unknown = await response.json();
  statuses.set(`${surface} ${status}`, (statuses.get(`${surface} ${status}`) ?? 0) + 1);
  if (surface === "rest") return { method: operation.method, path, status, headers: response.headers, body };
  const filled = operation.path.replace("{id}", "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90");
  return { method: operation.method, path: `/v1${filled}`, status, body: fromTrpc(body, operation) };
}

// biome-ignore lint/suspicious/noExplicitAny: the validator checks the result
function fromTrpc(body: any, { name }: Operation): unknown {
  if (body.error === undefined) {
    const { data } = body.result;
    return name.endsWith(".list") ? { success: true, ...data } : { success: true, data };
  }
  const { httpStatus, ...error } = body.error.data;
  expect(body.error.message).toBe(error.message);
  expect(Object.entries(ERRORS).find(([code]) => code === error.code)?.[1].status).toBe(httpStatus);
  return { success: false, error };
}

/** Makes created rows available to later requests. */
function remember({ operation }: RandomRequest, { status, body }: ObservedAnswer): void {
  const [resource = "", verb] = operation.name.split(".");
  if (status !== 200 || verb !== "create") return;
  const { data } = body as { data: { id: string } };
  rows[resource]?.push(data.id);
}

it(`returns documented responses to ${REQUESTS} random requests (seed ${SEED})`, async () => {
  const before = await rowsOfOthers();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: TOGETHER, maxLength: TOGETHER }), async (requests) => {
      const answers = await Promise.all(requests.map(send));
      answers.forEach((answer, index) => {
        expect(answer.status).toBeLessThan(500);
        validate(answer);
        const [sent] = requests.slice(index);
        if (sent !== undefined) remember(sent, answer);
      });
    }),
    { numRuns: Math.ceil(REQUESTS / TOGETHER), seed: SEED, endOnFailure: true },
  );
  expect((await rowsOfOthers()) === before).toBe(true);
  if (process.env.RANDOM_REQUESTS !== undefined) process.stdout.write(`${report()}\n`);
  // About a sixth, depending on the seed.
  expect(statuses.get("rest 200")).toBeGreaterThan(REQUESTS / 100);
  expect(statuses.get("trpc 200")).toBeGreaterThan(REQUESTS / 100);
}, 600_000);

/** All stored rows of the other organization. */
async function rowsOfOthers(): Promise<string> {
  const tables = Object.values(await storedRows(service.database)).flat();
  return tables.filter((row) => row.includes(others.organization.organization_id)).join("\n");
}

function report(): string {
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const shares = [...statuses]
    .sort()
    .map(([name, count]) => `${name}: ${count} (${Math.round((100 * count) / total)} %)`);
  return `${total} requests; ${shares.join(", ")}`;
}
