import { eventually } from "@findersfee/database/testing/eventually";
import { probeSeconds } from "@findersfee/domain/webhooks/endpoints/probes";
import { expect, it } from "vitest";
import { SHARD, Trial } from "./scheduler-trial.ts";

it("sends the deliveries of an endpoint in order", async () => {
  const trial = new Trial({});
  trial.add("a1", 40);
  const order: number[] = [];
  while (trial.count() > 0) {
    order.push(Number(trial.attempts[0]?.delivery.event_id));
    await trial.end(true);
  }
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).toHaveLength(40);
});

it("raises the concurrency of an endpoint after successes and lowers it after failures", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 1_000);
  expect(trial.count()).toBe(2);
  for (let responses = 0; responses < 100; responses++) await trial.end(true);
  expect(trial.count()).toBe(32);
  await trial.end(false);
  await trial.end(false);
  for (let responses = 0; responses < 20; responses++) {
    const before = trial.count();
    await trial.end(false);
    expect(trial.count()).toBeLessThanOrEqual(before);
  }
  while (trial.count() > 0) await trial.end(false);
  // A failing endpoint gets one attempt at a time, without prefetch.
  for (let responses = 0; responses < 5; responses++) {
    expect(queue.demand(performance.now())).toBe(1);
    trial.add("a1", 3);
    expect(trial.count()).toBe(1);
    expect(queue.demand(performance.now())).toBe(0);
    await trial.end(false);
    expect(trial.count()).toBe(0);
  }
});

it("drops the queued deliveries of a stalled endpoint until it responds", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 10);
  trial.add("a2", 1);
  trial.scheduler.cleanUp(performance.now());
  expect(queue.deliveries).toHaveLength(8);
  await eventually(() => expect(queue.hasStalled(performance.now())).toBe(true));
  trial.scheduler.cleanUp(performance.now());
  expect(queue.deliveries).toEqual([]);
  expect([...queue.unrecorded]).toEqual(["1", "2"]);
  expect(queue.quota.queued).toBe(0);
  // They are still pending in the database.
  expect(queue.has_more).toBe(true);
  expect(queue.demand(performance.now())).toBe(0);
  // No attempt starts until the endpoint responds.
  trial.add("a1", 1);
  expect(trial.count("a1")).toBe(2);
  await trial.end(true, "a1");
  expect(trial.count("a1")).toBe(2);
  expect(queue.demand(performance.now())).toBeGreaterThan(0);
});

it("drops the queued deliveries of an endpoint that starts failing", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 20);
  for (let failures = 1; failures < 5; failures++) await trial.end(false);
  expect(queue.deliveries.length).toBeGreaterThan(0);
  await trial.end(false);
  expect(queue.deliveries).toEqual([]);
  expect(queue.has_more).toBe(true);
  while (trial.count() > 0) await trial.end(false);
  // Nothing is loaded before the next probe.
  expect(queue.loadableAt()).toBeGreaterThan(performance.now() + 4_000);
});

it("reads deliveries again that it drops during a read", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 10);
  queue.beginLoad();
  while (queue.deliveries.length > 0) await trial.end(false);
  expect(queue.unrecorded.size).toBe(trial.count());
  expect(queue).toMatchObject({ has_more: true, was_notified: true });
});

it("remembers the due time of a retry that is recorded during a read", () => {
  const queue = new Trial({}).add("a1", 1);
  queue.beginLoad();
  queue.announceDueAt(5_000);
  queue.setNextDueAt(Number.POSITIVE_INFINITY);
  expect(queue.next_due_at).toBe(5_000);
  queue.beginLoad();
  queue.setNextDueAt(9_000);
  expect(queue.next_due_at).toBe(9_000);
});

it("ignores the health from a search that started before the last result was recorded", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 5);
  const queried_at = performance.now();
  for (let failures = 0; failures < 5; failures++) await trial.end(false);
  expect(queue).toMatchObject({ is_idle: true, failures: 5 });
  queue.setHealth({ failures: 0, failed_ago: null }, { queried_at, now: performance.now() });
  expect(queue.failures).toBe(5);
  const later = performance.now() + 1;
  queue.setHealth({ failures: 0, failed_ago: null }, { queried_at: later, now: later });
  expect(queue.failures).toBe(0);
});

it("doubles the delay between probes up to 5 minutes", () => {
  expect([5, 6, 7, 8, 9, 10, 11, 100].map(probeSeconds)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
});

it("remembers a manual retry after dropping it", async () => {
  const trial = new Trial({});
  const queue = trial.add("a1", 10);
  const [last] = queue.deliveries.slice(-1);
  if (last === undefined) throw new Error("nothing is queued");
  last.manual = true;
  for (let failure = 0; failure < 5; failure++) await trial.end(false);
  expect(queue).toMatchObject({ is_failing: true, deliveries: [], has_manual: true });
  expect(queue.loadableAt()).toBe(0);
});

it("pauses an endpoint while the proxy fails, without counting failures of the endpoint", () => {
  const { scheduler } = new Trial({});
  const queue = scheduler.open({ shard: SHARD, organization_id: "a", endpoint_id: "a1" });
  queue.has_more = true;
  const fail = (count: number, now: number) => {
    for (let attempt = 0; attempt < count; attempt++) {
      queue.started(now);
      queue.finished("unsent", now);
    }
  };
  fail(4, 1_000);
  expect(queue.loadableAt()).toBe(0);
  fail(1, 1_000);
  expect(queue).toMatchObject({ is_failing: true, failures: 0 });
  expect(queue.loadableAt()).toBe(1_000 + probeSeconds(5) * 1000);
  fail(20, 2_000);
  expect(queue.loadableAt()).toBe(32_000);
  // The health in the database does not include the proxy.
  queue.setHealth({ failures: 0, failed_ago: null }, { queried_at: 2_000, now: 2_000 });
  expect(queue.loadableAt()).toBe(32_000);
  queue.started(3_000);
  queue.finished("failed", 3_000);
  expect(queue).toMatchObject({ is_failing: false, failures: 1 });
});
