import type { DueDelivery } from "@findersfee/database/pending-deliveries";
import { eventually } from "@findersfee/database/testing/eventually";
import { probeSeconds } from "@findersfee/domain/webhooks/probes";
import { expect, it } from "vitest";
import type { Lane } from "../src/webhooks/lane.ts";
import { BOUNDS, type Bounds, Lanes } from "../src/webhooks/lanes.ts";
import type { Verdict } from "../src/webhooks/outcome.ts";

const SHARD = 7;

/** An attempt that is being made. */
interface Attempt {
  lane: Lane;
  delivery: DueDelivery;
  end: (verdict: Verdict) => void;
}

/** Lanes with attempts that the test ends. */
class Trial {
  /** Those under way, oldest first. */
  readonly attempts: Attempt[] = [];
  /** Endpoints in the order in which an attempt was begun there. */
  readonly begun: string[] = [];
  readonly lanes: Lanes;
  #events = 0;

  constructor(bounds: Partial<Bounds>) {
    // Fresh and slow attempts depend on time, so they are unlimited here.
    this.lanes = new Lanes((lane, delivery) => this.#send(lane, delivery), {
      ...BOUNDS,
      fresh: 1_000_000,
      slow_milliseconds: Number.POSITIVE_INFINITY,
      ...bounds,
    });
  }

  /** Gives an endpoint so many deliveries; `a1` is one of organization `a`. */
  add(endpoint_id: string, count: number): Lane {
    const key = { organization_id: endpoint_id.charAt(0), endpoint_id };
    const lane = this.lanes.of({ shard: SHARD, ...key });
    for (let number = 0; number < count; number++) {
      this.#events += 1;
      this.lanes.add(lane, {
        ...key,
        event_id: String(this.#events),
        attempts: 0,
        failures: 0,
        manual: false,
        body: "{}",
      });
    }
    return lane;
  }

  /** How many attempts are under way, for an organization or an endpoint if one is named. */
  count(prefix = ""): number {
    return this.attempts.filter(({ lane }) => lane.endpoint_id.startsWith(prefix)).length;
  }

  /** Ends the oldest attempt, of the organization or endpoint if one is named, and records it. */
  async end(succeeded: boolean, prefix = ""): Promise<void> {
    const index = this.attempts.findIndex(({ lane }) => lane.endpoint_id.startsWith(prefix));
    const [attempt] = index === -1 ? [] : this.attempts.splice(index, 1);
    if (attempt === undefined) throw new Error("there is no such attempt");
    attempt.end(succeeded ? "succeeded" : "failed");
    // The lanes hear of it in a promise.
    await new Promise((resolve) => setImmediate(resolve));
    this.lanes.recorded(attempt.lane, attempt.delivery.event_id);
  }

  #send(lane: Lane, delivery: DueDelivery): Promise<Verdict> {
    this.begun.push(lane.endpoint_id);
    return new Promise((end) => this.attempts.push({ lane, delivery, end }));
  }
}

function endpoints(organization: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${organization}${number}`);
}

it("never lets an organization have more than its places, however many endpoints it has", async () => {
  const trial = new Trial({ in_flight: 40, in_flight_of_organization: 10 });
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

it("never makes more attempts at once than the process may", async () => {
  const trial = new Trial({ in_flight: 25, in_flight_of_organization: 10 });
  for (const organization of ["a", "b", "c", "d"]) {
    for (const id of endpoints(organization, 20)) trial.add(id, 5);
  }
  expect(trial.count()).toBe(25);
  expect(trial.lanes.in_flight).toBe(25);
  for (let ended = 0; ended < 300; ended++) {
    await trial.end(true);
    expect(trial.count()).toBe(25);
    for (const organization of ["a", "b", "c", "d"])
      expect(trial.count(organization)).toBeLessThanOrEqual(10);
  }
});

/** Reads as much for endpoints as they have room for, `most` for each at most. Returns how much that was. */
function fill(trial: Trial, ids: string[], most = Number.POSITIVE_INFINITY): number {
  let read = 0;
  for (const id of ids) {
    const lane = trial.add(id, 0);
    const room = Math.min(most, trial.lanes.roomOf(lane, performance.now()));
    trial.add(id, room);
    read += room;
  }
  return read;
}

it("leaves room for others, however much one organization has", () => {
  const trial = new Trial({ queued: 400, in_flight_of_organization: 10 });
  let a = 0;
  for (let round = 0; round < 10; round++) a += fill(trial, endpoints("a", 30));
  expect(a).toBeGreaterThan(100);
  expect(a).toBeLessThanOrEqual(210);
  expect(fill(trial, ["b1"])).toBe(32);
  expect(fill(trial, ["c1"])).toBe(32);
});

it("reads nothing more for an organization that answers nothing while there is little room", async () => {
  const trial = new Trial({ queued: 400, in_flight_of_organization: 10 });
  for (let round = 0; round < 10; round++) fill(trial, endpoints("a", 30));
  fill(trial, endpoints("b", 6));
  const lane = trial.lanes.of({ shard: SHARD, organization_id: "a", endpoint_id: "a31" });
  const roomOf = () => trial.lanes.roomOf(lane, performance.now());
  const since = performance.now();
  await eventually(() => expect(roomOf()).toBe(0), { interval: 5 });
  // Long before one of its endpoints alone would be given up on.
  expect(performance.now() - since).toBeLessThan(1_000);
  const held = trial.lanes.of({ shard: SHARD, organization_id: "c", endpoint_id: "c1" });
  expect(trial.lanes.roomOf(held, performance.now())).toBeGreaterThan(0);
  // As soon as it answers it may have its part again.
  for (let ended = 0; ended < 150; ended++) await trial.end(true, "a");
  expect(roomOf()).toBeGreaterThan(0);
});

it("gives each endpoint of an organization its turn", async () => {
  const trial = new Trial({ in_flight_of_organization: 4 });
  const ids = endpoints("a", 30);
  for (const id of ids) trial.add(id, 10);
  while (new Set(trial.begun).size < ids.length) await trial.end(true);
  // Nobody has got much more than its share until the last one got its first.
  const most = Math.max(...ids.map((id) => trial.begun.filter((one) => one === id).length));
  expect(most).toBeLessThanOrEqual(3);
});

it("sends everything in the end, and each thing once", async () => {
  const trial = new Trial({ in_flight: 12, in_flight_of_organization: 5 });
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
  expect(trial.lanes.in_flight).toBe(0);
  const lane = trial.lanes.of({ shard: SHARD, organization_id: "d", endpoint_id: "d1" });
  expect(lane.share.queued).toBe(0);
  expect(trial.lanes.roomOf(lane, performance.now())).toBeGreaterThan(0);
  await trial.lanes.release(SHARD);
  expect(trial.lanes.size).toBe(0);
});

it("sends an endpoint's deliveries in their order", async () => {
  const trial = new Trial({});
  trial.add("a1", 40);
  const order: number[] = [];
  while (trial.count() > 0) {
    order.push(Number(trial.attempts[0]?.delivery.event_id));
    await trial.end(true);
  }
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(order).toHaveLength(40);
});

it("begins with few attempts to an endpoint, makes more while it answers, and fewer when it fails", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 1_000);
  expect(trial.count()).toBe(2);
  for (let answers = 0; answers < 100; answers++) await trial.end(true);
  expect(trial.count()).toBe(32);
  await trial.end(false);
  await trial.end(false);
  for (let answers = 0; answers < 20; answers++) {
    const before = trial.count();
    await trial.end(false);
    expect(trial.count()).toBeLessThanOrEqual(before);
  }
  while (trial.count() > 0) await trial.end(false);
  // It fails: one at a time, and none is read ahead.
  for (let answers = 0; answers < 5; answers++) {
    expect(lane.wanted(performance.now())).toBe(1);
    trial.add("a1", 3);
    expect(trial.count()).toBe(1);
    expect(lane.wanted(performance.now())).toBe(0);
    await trial.end(false);
    expect(trial.count()).toBe(0);
  }
});

it("gives up on an endpoint that has stopped answering, and drops what that does not get", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 10);
  trial.add("a2", 1);
  trial.lanes.tidy(performance.now());
  expect(lane.queue).toHaveLength(8);
  await eventually(() => expect(lane.hasStalled(performance.now())).toBe(true));
  trial.lanes.tidy(performance.now());
  expect(lane.queue).toEqual([]);
  expect([...lane.known]).toEqual(["1", "2"]);
  expect(lane.share.queued).toBe(0);
  // They are still in the database.
  expect(lane.has_more).toBe(true);
  expect(lane.wanted(performance.now())).toBe(0);
  // More of it is not begun, until it answers.
  trial.add("a1", 1);
  expect(trial.count("a1")).toBe(2);
  await trial.end(true, "a1");
  expect(trial.count("a1")).toBe(2);
  expect(lane.wanted(performance.now())).toBeGreaterThan(0);
});

it("does not leave an endpoint waiting behind those whose deliveries were dropped", async () => {
  const trial = new Trial({ in_flight_of_organization: 2 });
  const lanes = [trial.add("a1", 1), trial.add("a2", 1)];
  trial.add("a1", 3);
  trial.add("a2", 3);
  trial.add("a3", 1);
  const now = () => performance.now();
  await eventually(() => expect(lanes.every((lane) => lane.hasStalled(now()))).toBe(true));
  trial.lanes.tidy(now());
  expect(lanes.map(({ queue }) => queue.length)).toEqual([0, 0]);
  await trial.end(true, "a1");
  await trial.end(true, "a2");
  expect(trial.begun).toContain("a3");
});

it("drops what follows a failure that was one too many", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 20);
  for (let failures = 1; failures < 5; failures++) await trial.end(false);
  expect(lane.queue.length).toBeGreaterThan(0);
  await trial.end(false);
  expect(lane.queue).toEqual([]);
  expect(lane.has_more).toBe(true);
  while (trial.count() > 0) await trial.end(false);
  // Not before its next probe.
  expect(lane.readableAt()).toBeGreaterThan(performance.now() + 4_000);
});

it("has what it drops during a read read again: the read left it out", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 10);
  lane.beginRead();
  while (lane.queue.length > 0) await trial.end(false);
  expect(lane.known.size).toBe(trial.count());
  expect(lane).toMatchObject({ has_more: true, is_announced: true });
});

it("keeps the due time of a retry that was recorded during a read, which may not know it", () => {
  const lane = new Trial({}).add("a1", 1);
  lane.beginRead();
  lane.noteDueAt(5_000);
  lane.setNextDueAt(Number.POSITIVE_INFINITY);
  expect(lane.next_due_at).toBe(5_000);
  lane.beginRead();
  lane.setNextDueAt(9_000);
  expect(lane.next_due_at).toBe(9_000);
});

it("takes an endpoint's health from a search only if that began after the last result was recorded", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 5);
  const asked_at = performance.now();
  for (let failures = 0; failures < 5; failures++) await trial.end(false);
  expect(lane).toMatchObject({ is_idle: true, failures: 5 });
  lane.setHealth({ failures: 0, failed_ago: null }, { asked_at, now: performance.now() });
  expect(lane.failures).toBe(5);
  const later = performance.now() + 1;
  lane.setHealth({ failures: 0, failed_ago: null }, { asked_at: later, now: later });
  expect(lane.failures).toBe(0);
});

it("does not forget an endpoint that is being read, sent to or recorded: two would send to it", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 1);
  const same = () => trial.lanes.of({ shard: SHARD, organization_id: "a", endpoint_id: "a1" });
  const in_an_hour = performance.now() + 3_600_000;
  trial.lanes.tidy(in_an_hour);
  expect(same()).toBe(lane);
  const [attempt] = trial.attempts.splice(0);
  attempt?.end("succeeded");
  await new Promise((resolve) => setImmediate(resolve));
  expect(lane.in_flight).toBe(0);
  // Made, and not yet recorded.
  trial.lanes.tidy(in_an_hour);
  expect(same()).toBe(lane);
  trial.lanes.recorded(lane, "1");
  lane.beginRead();
  trial.lanes.tidy(in_an_hour);
  expect(same()).toBe(lane);
  trial.lanes.readEnded([lane]);
  trial.lanes.tidy(in_an_hour);
  expect(trial.lanes.size).toBe(0);
  expect(same()).not.toBe(lane);
});

it("gives a shard up when nothing of it is read, sent or unrecorded, and begins nothing more", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 10);
  const other = trial.lanes.of({ shard: SHARD + 1, organization_id: "a", endpoint_id: "a2" });
  lane.beginRead();
  let released = false;
  const release = trial.lanes.release(SHARD).then(() => {
    released = true;
  });
  const passed = () => new Promise((resolve) => setImmediate(resolve));
  expect(trial.count()).toBe(2);
  await trial.end(true);
  const [attempt] = trial.attempts.splice(0);
  expect(trial.attempts).toEqual([]);
  trial.lanes.readEnded([lane]);
  await passed();
  expect(released).toBe(false);
  attempt?.end("succeeded");
  await passed();
  expect(released).toBe(false);
  trial.lanes.recorded(lane, attempt?.delivery.event_id ?? "");
  await release;
  expect(trial.begun).toHaveLength(2);
  expect([...trial.lanes.values()]).toEqual([other]);
});

it("begins the attempts of an organization evenly when they take long", async () => {
  const PLACES = 8;
  const begun_at: number[] = [];
  const ends: (() => void)[] = [];
  const send = () => {
    begun_at.push(performance.now());
    return new Promise<Verdict>((resolve) => ends.push(() => resolve("succeeded")));
  };
  const lanes = new Lanes(send, { ...BOUNDS, in_flight_of_organization: PLACES });
  for (const endpoint_id of endpoints("a", PLACES)) {
    const key = { organization_id: "a", endpoint_id };
    const lane = lanes.of({ shard: SHARD, ...key });
    for (let number = 0; number < 20; number++) {
      const event_id = `${endpoint_id} ${number}`;
      lanes.add(lane, { ...key, event_id, attempts: 0, failures: 0, manual: false, body: "{}" });
    }
  }
  const endAll = async (count: number) => {
    await eventually(() => expect(ends).toHaveLength(PLACES));
    const first = begun_at.length;
    for (const end of ends.splice(0)) end();
    await eventually(() => expect(begun_at.length).toBe(first + count));
    return (begun_at.at(-1) ?? 0) - (begun_at[first] ?? 0);
  };
  await eventually(() => expect(ends).toHaveLength(PLACES));
  await new Promise((resolve) => setTimeout(resolve, 120));
  // Each attempt has taken 120 ms or longer, so eight places become free every 15 ms on average.
  expect(await endAll(PLACES)).toBeGreaterThan(50);
});

it("tells when a lane has run dry", async () => {
  const trial = new Trial({});
  const dry: string[] = [];
  trial.lanes.onRoom = (lane) => dry.push(lane.endpoint_id);
  trial.add("a1", 3);
  trial.add("b1", 1);
  await trial.end(true, "a1");
  expect(dry).toEqual(["a1"]);
  await trial.end(true, "b1");
  expect(dry).toEqual(["a1", "b1"]);
});

it("leaves a failing endpoint alone for longer and longer", () => {
  expect([5, 6, 7, 8, 9, 10, 11, 100].map(probeSeconds)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
});

it("remembers a manual retry that it drops", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 10);
  const [last] = lane.queue.slice(-1);
  if (last === undefined) throw new Error("nothing is queued");
  last.manual = true;
  for (let failure = 0; failure < 5; failure++) await trial.end(false);
  expect(lane).toMatchObject({ is_failing: true, queue: [], has_manual: true });
  expect(lane.readableAt()).toBe(0);
});

it("only probes an endpoint while the proxy fails, counts none of that as its failure, and is soon back", () => {
  const { lanes } = new Trial({});
  const lane = lanes.of({ shard: SHARD, organization_id: "a", endpoint_id: "a1" });
  lane.has_more = true;
  const fail = (count: number, now: number) => {
    for (let attempt = 0; attempt < count; attempt++) {
      lane.started(now);
      lane.answered("unsent", now);
    }
  };
  fail(4, 1_000);
  expect(lane.readableAt()).toBe(0);
  fail(1, 1_000);
  expect(lane).toMatchObject({ is_failing: true, failures: 0 });
  expect(lane.readableAt()).toBe(1_000 + probeSeconds(5) * 1000);
  fail(20, 2_000);
  expect(lane.readableAt()).toBe(32_000);
  // What the database knows of the endpoint says nothing about the proxy.
  lane.setHealth({ failures: 0, failed_ago: null }, { asked_at: 2_000, now: 2_000 });
  expect(lane.readableAt()).toBe(32_000);
  lane.started(3_000);
  lane.answered("failed", 3_000);
  expect(lane).toMatchObject({ is_failing: false, failures: 1 });
});
