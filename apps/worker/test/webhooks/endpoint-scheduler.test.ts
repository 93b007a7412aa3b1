import { eventually, lastedFor } from "@findersfee/database/testing/eventually";
import { expect, it } from "vitest";
import { EndpointScheduler, SCHEDULER_LIMITS } from "../../src/webhooks/endpoint-scheduler.ts";
import type { Verdict } from "../../src/webhooks/outcome.ts";
import { endpoints, SHARD, Trial } from "./scheduler-trial.ts";

it("limits the concurrent attempts of an organization over all its endpoints", async () => {
  const trial = new Trial({ in_flight: 40, in_flight_per_organization: 10 });
  for (const id of endpoints("a", 50)) trial.add(id, 8);
  expect(trial.count("a")).toBe(10);
  trial.add("b1", 2);
  expect(trial.count("b")).toBe(2);
  for (let ended = 0; ended < 200; ended++) {
    await trial.end(ended % 3 > 0, "a");
    expect(trial.count("a")).toBe(10);
  }
  trial.add("b2", 2);
  expect(trial.count("b")).toBe(4);
});

it("limits the concurrent attempts of the process", async () => {
  const trial = new Trial({ in_flight: 25, in_flight_per_organization: 10 });
  for (const organization of ["a", "b", "c", "d"]) {
    for (const id of endpoints(organization, 20)) trial.add(id, 5);
  }
  expect(trial.count()).toBe(25);
  expect(trial.scheduler.in_flight).toBe(25);
  for (let ended = 0; ended < 300; ended++) {
    await trial.end(true);
    expect(trial.count()).toBe(25);
    for (const organization of ["a", "b", "c", "d"])
      expect(trial.count(organization)).toBeLessThanOrEqual(10);
  }
});

/** Loads as many deliveries for endpoints as they can take, at most `most` for each. Returns the number. */
function fill(trial: Trial, ids: string[], most = Number.POSITIVE_INFINITY): number {
  let read = 0;
  for (const id of ids) {
    const queue = trial.add(id, 0);
    const room = Math.min(most, trial.scheduler.capacityOf(queue, performance.now()));
    trial.add(id, room);
    read += room;
  }
  return read;
}

it("leaves capacity for other organizations beside a large backlog", () => {
  const trial = new Trial({ queued: 400, in_flight_per_organization: 10 });
  let loaded = 0;
  for (let round = 0; round < 10; round++) loaded += fill(trial, endpoints("a", 30));
  expect(loaded).toBeGreaterThan(100);
  expect(loaded).toBeLessThanOrEqual(210);
  expect(fill(trial, ["b1"])).toBe(32);
  expect(fill(trial, ["c1"])).toBe(32);
});

it("stops loading for an unresponsive organization while capacity is scarce", async () => {
  const trial = new Trial({ queued: 400, in_flight_per_organization: 10 });
  for (let round = 0; round < 10; round++) fill(trial, endpoints("a", 30));
  fill(trial, endpoints("b", 6));
  const queue = trial.scheduler.open({ shard: SHARD, organization_id: "a", endpoint_id: "a31" });
  const capacityOf = () => trial.scheduler.capacityOf(queue, performance.now());
  // Long before a single endpoint counts as stalled.
  expect(await lastedFor(async () => expect(capacityOf()).toBe(0))).toBeLessThan(1_000);
  const other = trial.scheduler.open({ shard: SHARD, organization_id: "c", endpoint_id: "c1" });
  expect(trial.scheduler.capacityOf(other, performance.now())).toBeGreaterThan(0);
  // After responses it may load again.
  for (let ended = 0; ended < 150; ended++) await trial.end(true, "a");
  expect(capacityOf()).toBeGreaterThan(0);
});

it("serves the endpoints of an organization in turns", async () => {
  const trial = new Trial({ in_flight_per_organization: 4 });
  const ids = endpoints("a", 30);
  for (const id of ids) trial.add(id, 10);
  while (new Set(trial.started).size < ids.length) await trial.end(true);
  // No endpoint gets much more than the others before the last one gets its first attempt.
  const most = Math.max(...ids.map((id) => trial.started.filter((item) => item === id).length));
  expect(most).toBeLessThanOrEqual(3);
});

it("sends each delivery exactly once", async () => {
  const trial = new Trial({ in_flight: 12, in_flight_per_organization: 5 });
  const sent: string[] = [];
  for (const organization of ["a", "b", "c"]) {
    for (const id of endpoints(organization, 15)) trial.add(id, 7);
  }
  for (let number = 0; trial.count() > 0; number++) {
    sent.push(trial.attempts[0]?.delivery.event_id ?? "");
    await trial.end(number % 4 !== 0);
  }
  expect(sent).toHaveLength(3 * 15 * 7);
  expect(new Set(sent).size).toBe(sent.length);
  expect(trial.scheduler.in_flight).toBe(0);
  const queue = trial.scheduler.open({ shard: SHARD, organization_id: "d", endpoint_id: "d1" });
  expect(queue.quota.queued).toBe(0);
  expect(trial.scheduler.capacityOf(queue, performance.now())).toBeGreaterThan(0);
  await trial.scheduler.release(SHARD);
  expect(trial.scheduler.size).toBe(0);
});

it("serves an endpoint that waits behind endpoints with dropped deliveries", async () => {
  const trial = new Trial({ in_flight_per_organization: 2 });
  const queues = [trial.add("a1", 1), trial.add("a2", 1)];
  trial.add("a1", 3);
  trial.add("a2", 3);
  trial.add("a3", 1);
  const now = () => performance.now();
  await eventually(() => expect(queues.every((queue) => queue.hasStalled(now()))).toBe(true));
  trial.scheduler.cleanUp(now());
  expect(queues.map(({ deliveries }) => deliveries.length)).toEqual([0, 0]);
  await trial.end(true, "a1");
  await trial.end(true, "a2");
  expect(trial.started).toContain("a3");
});

it("closes no queue with a read, an attempt or an unrecorded result", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 1);
  const same = () => trial.scheduler.open({ shard: SHARD, organization_id: "a", endpoint_id: "a1" });
  const in_an_hour = performance.now() + 3_600_000;
  trial.scheduler.cleanUp(in_an_hour);
  expect(same()).toBe(queue);
  const [attempt] = trial.attempts.splice(0);
  attempt?.end("succeeded");
  await new Promise((resolve) => setImmediate(resolve));
  expect(queue.in_flight).toBe(0);
  // The result is not recorded yet.
  trial.scheduler.cleanUp(in_an_hour);
  expect(same()).toBe(queue);
  trial.scheduler.recorded(queue, "1");
  queue.beginLoad();
  trial.scheduler.cleanUp(in_an_hour);
  expect(same()).toBe(queue);
  trial.scheduler.endLoad([queue]);
  trial.scheduler.cleanUp(in_an_hour);
  expect(trial.scheduler.size).toBe(0);
  expect(same()).not.toBe(queue);
});

it("releases a shard after its last read, attempt and recorded result, and starts no more attempts", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 10);
  const other = trial.scheduler.open({ shard: SHARD + 1, organization_id: "a", endpoint_id: "a2" });
  queue.beginLoad();
  let released = false;
  const release = trial.scheduler.release(SHARD).then(() => {
    released = true;
  });
  const passed = () => new Promise((resolve) => setImmediate(resolve));
  expect(trial.count()).toBe(2);
  await trial.end(true);
  const [attempt] = trial.attempts.splice(0);
  expect(trial.attempts).toEqual([]);
  trial.scheduler.endLoad([queue]);
  await passed();
  expect(released).toBe(false);
  attempt?.end("succeeded");
  await passed();
  expect(released).toBe(false);
  trial.scheduler.recorded(queue, attempt?.delivery.event_id ?? "");
  await release;
  expect(trial.started).toHaveLength(2);
  expect([...trial.scheduler.queues()]).toEqual([other]);
});

it("paces the attempts of an organization with slow endpoints", async () => {
  const LIMIT = 8;
  const started_at: number[] = [];
  const ends: (() => void)[] = [];
  const send = () => {
    started_at.push(performance.now());
    return new Promise<Verdict>((resolve) => ends.push(() => resolve("succeeded")));
  };
  const scheduler = new EndpointScheduler(send, { ...SCHEDULER_LIMITS, in_flight_per_organization: LIMIT });
  for (const endpoint_id of endpoints("a", LIMIT)) {
    const key = { organization_id: "a", endpoint_id };
    const queue = scheduler.open({ shard: SHARD, ...key });
    for (let number = 0; number < 20; number++) {
      const event_id = `${endpoint_id} ${number}`;
      const sent = { manual: false, body: "{}", traceparent: null };
      scheduler.add(queue, { ...key, event_id, attempts: 0, failures: 0, ...sent });
    }
  }
  const endAll = async (count: number) => {
    await eventually(() => expect(ends).toHaveLength(LIMIT));
    const first = started_at.length;
    for (const end of ends.splice(0)) end();
    await eventually(() => expect(started_at.length).toBe(first + count));
    return (started_at.at(-1) ?? 0) - (started_at[first] ?? 0);
  };
  await eventually(() => expect(ends).toHaveLength(LIMIT));
  await new Promise((resolve) => setTimeout(resolve, 120));
  // Each attempt took 120 ms or longer, so one of the eight ends every 15 ms on average.
  expect(await endAll(LIMIT)).toBeGreaterThan(50);
});

it("reports a queue that can load more deliveries", async () => {
  const trial = new Trial({});
  const dry: string[] = [];
  trial.scheduler.onCapacity = (queue) => dry.push(queue.endpoint_id);
  trial.add("a1", 3);
  trial.add("b1", 1);
  await trial.end(true, "a1");
  expect(dry).toEqual(["a1"]);
  await trial.end(true, "b1");
  expect(dry).toEqual(["a1", "b1"]);
});
