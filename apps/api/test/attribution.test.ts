import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { beforeEachInNewProgram } from "./new-program.ts";
import { answerOf, call, type Input, surfaces } from "./operations.ts";
import { addOverridable, type Overridable } from "./overridable.ts";
import { type Program, storedRows } from "./program.ts";
import type { TestClient, TestService } from "./test-service.ts";
import { NOTHING_ELSE, validInput } from "./valid-inputs.ts";

let service: TestService;
let program: Program;
let organization: TestClient;
let overridable: Overridable;

beforeEachInNewProgram(async (made) => {
  ({ service, program, organization } = made);
  overridable = await addOverridable(service, program);
});

const OVERRIDES = [
  "referrals.move",
  "referrals.stop",
  "affiliates.credit",
  "overrides.resume",
  "overrides.undo",
];

function inputOf(name: string): Input {
  return validInput(name, { ...program, ...NOTHING_ELSE, ...overridable });
}

it.each(OVERRIDES)("%s changes nothing in a dry run, and then what the dry run showed", async (name) => {
  const before = await storedRows(service.database);
  const tried = await call("rest", organization, { name, input: inputOf(name) });
  expect([tried.error, tried.data.override]).toEqual([null, null]);
  expect(await storedRows(service.database)).toEqual(before);
  const input = { ...inputOf(name), dry_run: false, version: tried.data.version };
  const made = await call("rest", organization, { name, input });
  expect(made.error).toBeNull();
  const { override, ...changes } = made.data;
  expect(changes).toEqual({ ...tried.data, override: undefined });
  const stored = await answerOf(organization, "overrides.get", { id: override.id });
  expect(stored).toEqual(override);
  const [entry] = (
    await service.database`
      select actor, action, after from audit_log_entries where resource = 'override'
      and resource_id = ${override.id} order by id desc limit 1`
  ).values();
  expect(entry).toMatchObject({
    actor: expect.stringMatching(/^key /),
    after: { reason: (input as { reason?: string }).reason },
  });
});

it.each(OVERRIDES)("%s is made once with an Idempotency-Key", async (name) => {
  const input = { ...inputOf(name), dry_run: false };
  const headers = { "idempotency-key": randomUUID() };
  const first = await call("rest", organization, { name, input, headers });
  expect(first.error).toBeNull();
  const before = await storedRows(service.database);
  for (const surface of surfaces) {
    const again = await call(surface, organization, { name, input, headers });
    expect([again.error, again.headers.get("idempotency-replayed")]).toEqual([null, "true"]);
    expect(again.data).toEqual(first.data);
  }
  expect(await storedRows(service.database)).toEqual(before);
});

it("lists the overrides of a referral's customer", async () => {
  const name = "referrals.move";
  const { data } = await call("rest", organization, { name, input: { ...inputOf(name), dry_run: false } });
  const list = await answerOf(organization, "overrides.list", { referral_id: program.referral.id });
  expect(list.data).toEqual([data.override]);
  const all = await answerOf(organization, "overrides.list", {});
  expect(all.data.map(({ type }: { type: string }) => type)).toEqual(["move", "stop"]);
  expect(await answerOf(organization, "referrals.get", { id: program.referral.id })).toMatchObject({
    affiliate: { id: overridable.other_affiliate_id },
  });
});
