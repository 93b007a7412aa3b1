/* Browsers behind one address with the same User-Agent are one visitor: one count, but separate clicks. */
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startApi } from "../../src/server.ts";
import { ENDPOINT_POLICY, QUIET, sharedTestService, type TestService } from "../test-service.ts";
import {
  awayFromTheHour,
  BROWSER,
  click,
  countedClicks,
  createTrackedProgram,
  post,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";

/** The maximum number of clicks that a process writes per visitor, link and hour. */
const BOUND = 10;

let service: TestService;
/** A second process's server and pool on the same database. */
let second: { url: string; database: Database; close(): Promise<void> };
let program: TrackedProgram;

beforeAll(async () => {
  service = await sharedTestService();
  const database = connect({ url: service.database_url, poolSize: 5, prepare: true, name: "second" });
  second = { ...(await startApi(QUIET, database, { endpoint_policy: ENDPOINT_POLICY })), database };
});

afterAll(async () => {
  await second.close();
  await second.database.end();
  await service.close();
});

beforeEach(async () => {
  await awayFromTheHour();
  program = await createTrackedProgram(service);
}, 60_000);

async function clickId(changes: Record<string, unknown> = {}, url = service.url): Promise<string> {
  const { status, body } = await click({ organization: { ...program.organization, url } }, changes);
  expect(status).toBe(200);
  return body.data.click_id;
}

async function followed(): Promise<string | null> {
  const link = `${service.url}/r/jane?key=${program.organization.publishable_key}`;
  const response = await fetch(link, { redirect: "manual", headers: { "user-agent": BROWSER } });
  return new URL(response.headers.get("location") ?? "").searchParams.get("ff_click");
}

it("accepts sign-ups of everyone behind one address", async () => {
  const emails = Array.from({ length: 6 }, (_, number) => `person-${number}@example.com`);
  for (const email of emails) {
    const body = { key: program.organization.publishable_key, click_id: await clickId(), email };
    expect((await post(`${service.url}/track/signup`, body)).status).toBe(200);
  }
  const { data } = await program.organization.trpc.referrals.list.query({});
  expect(data.map(({ email }) => email).toSorted()).toEqual(emails);
  expect(await countedClicks(program)).toBe(1);
});

it("returns a browser's stored click without writing", async () => {
  const ids = [await clickId(), await clickId(), await clickId()];
  expect(new Set(ids).size).toBe(3);
  for (const id of [...ids, ...ids]) expect(await clickId({ previous_click_id: id })).toBe(id);
  expect(await storedClicks(service.database, program)).toHaveLength(3);
  expect(await countedClicks(program)).toBe(1);
});

it("accepts a stored click as proof only on its own link", async () => {
  await program.organization.trpc.affiliates.create.mutate({ email: "joe@example.com", ref_code: "joe" });
  const first = await clickId();
  const joes = await clickId({ code: "joe", previous_click_id: first });
  const again = await clickId({ previous_click_id: joes });
  expect(new Set([first, joes, again]).size).toBe(3);
  const other = await createTrackedProgram(service);
  const answer = await click(other, { previous_click_id: first });
  expect(answer.body.data.click_id).not.toBe(first);
});

it("writes ten clicks per visitor, link and hour, and then returns the last one", async () => {
  const ids: string[] = [];
  for (let number = 0; number < BOUND; number++) ids.push(await clickId());
  expect(new Set(ids).size).toBe(BOUND);
  for (let number = 0; number < 5; number++) expect(await clickId()).toBe(ids.at(-1));
  expect(await followed()).toBe(ids.at(-1));
  expect(await clickId({ previous_click_id: ids[0] })).toBe(ids[0]);
  expect(await storedClicks(service.database, program)).toHaveLength(BOUND);
  expect(await countedClicks(program)).toBe(1);
});

it("limits each link when a visitor alternates", async () => {
  await program.organization.trpc.affiliates.create.mutate({ email: "joe@example.com", ref_code: "joe" });
  for (let time = 0; time < BOUND + 5; time++) {
    await clickId();
    await clickId({ code: "joe" });
  }
  expect(await storedClicks(service.database, program)).toHaveLength(2 * BOUND);
});

it("limits concurrent clicks, and responds only after the click is written", async () => {
  // The affiliate's row is locked: every click is in progress before the first one is written.
  const held = await holdTransaction(service.database);
  await held.sql`select from affiliates where id = ${program.affiliate.id} for update`;
  const answers = Promise.all(Array.from({ length: 40 }, () => clickId()));
  await awaitWaiting(service.database);
  await held.commit();
  const ids = new Set(await answers);
  const stored = await storedClicks(service.database, program);
  expect(stored).toHaveLength(BOUND);
  expect([...ids].toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
  expect(await countedClicks(program)).toBe(1);
});

it("creates a click per redirect, which the page in the same browser reuses", async () => {
  const [first, next] = [await followed(), await followed()];
  expect(next).not.toBe(first);
  expect(await clickId({ click_id: first })).toBe(first);
  expect(await clickId({ click_id: next, previous_click_id: first })).toBe(first);
  expect(await clickId({ click_id: next })).toBe(next);
  expect(await storedClicks(service.database, program)).toHaveLength(2);
  expect(await countedClicks(program)).toBe(1);
});

it("counts once across two processes, even concurrently", async () => {
  const urls = [service.url, second.url];
  await Promise.all(Array.from({ length: 12 }, (_, number) => clickId({}, urls[number % 2])));
  expect(await storedClicks(service.database, program)).toHaveLength(12);
  expect(await countedClicks(program)).toBe(1);
});

it("counts each link of an affiliate", async () => {
  await clickId();
  const { trpc } = program.organization;
  await trpc.affiliates.update.mutate({ id: program.affiliate.id, ref_code: "jane-2" });
  await clickId({ code: "jane-2" });
  await clickId({ code: "jane-2" }, second.url);
  expect(await countedClicks(program)).toBe(2);
});

it("writes again after failed clicks", async () => {
  const { trpc } = program.organization;
  const kept = await clickId();
  const { id } = program.affiliate;
  // Directly in the database: the process still has the affiliate cached as eligible.
  await service.database`update affiliates set approved = false where id = ${id}`;
  for (let number = 0; number < BOUND + 2; number++) {
    const { body } = await click(program);
    expect(body.data.click_id).toBeNull();
  }
  await service.database`update affiliates set approved = true where id = ${id}`;
  await expect.poll(() => clickId()).toMatch(/^[0-9a-f-]{36}$/);
  expect(await clickId({ previous_click_id: kept })).toBe(kept);
  expect((await trpc.affiliates.get.query({ id })).clicks).toBe(1);
});
