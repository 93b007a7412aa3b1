import type { ClaimedDelivery } from "@findersfee/database/delivery-claims";
import { eventually } from "@findersfee/database/testing/eventually";
import { expect, it } from "vitest";
import { type Lane, probeSeconds } from "../src/webhooks/lane.ts";
import { BOUNDS, type Bounds, Lanes } from "../src/webhooks/lanes.ts";

/** An attempt that is being made. */
interface Attempt {
  lane: Lane;
  delivery: ClaimedDelivery;
  end: (succeeded: boolean) => void;
}

/** Lanes whose attempts end when the test says so. */
class Trial {
  /** Those under way, oldest first. */
  readonly attempts: Attempt[] = [];
  /** Endpoints in the order in which an attempt was begun there. */
  readonly begun: string[] = [];
  readonly lanes: Lanes;
  #events = 0;

  constructor(bounds: Partial<Bounds>) {
    // What is fresh is not bounded here: it is about time.
    this.lanes = new Lanes((lane, delivery) => this.#send(lane, delivery), {
      ...BOUNDS,
      fresh: 1_000_000,
      ...bounds,
    });
  }

  /** Gives an endpoint so many deliveries; `a1` is one of organization `a`. */
  add(endpoint_id: string, count: number): Lane {
    const key = { organization_id: endpoint_id.charAt(0), endpoint_id };
    const lane = this.lanes.of(key);
    for (let number = 0; number < count; number++) {
      this.#events += 1;
      this.lanes.add(lane, {
        ...key,
        event_id: String(this.#events),
        worker_id: "worker",
        failures: 0,
        body: "{}",
        endpoint_version: "1",
        endpoint_failures: 0,
      });
    }
    return lane;
  }

  /** How many attempts are under way, for an organization or an endpoint if one is named. */
  count(prefix = ""): number {
    return this.attempts.filter(({ lane }) => lane.endpoint_id.startsWith(prefix)).length;
  }

  /** Ends the oldest attempt, of the organization or endpoint if one is named. */
  async end(succeeded: boolean, prefix = ""): Promise<void> {
    const index = this.attempts.findIndex(({ lane }) => lane.endpoint_id.startsWith(prefix));
    const [attempt] = index === -1 ? [] : this.attempts.splice(index, 1);
    if (attempt === undefined) throw new Error("there is no such attempt");
    attempt.end(succeeded);
    // The lanes hear of it in a promise.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #send(lane: Lane, delivery: ClaimedDelivery): Promise<boolean> {
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

it("takes back what an organization does not get when that fills the room, and no more than that", async () => {
  const trial = new Trial({ queued: 400, in_flight_of_organization: 10 });
  const lanes = endpoints("a", 30).map((id) => trial.add(id, 11));
  const [lane = trial.add("a0", 0)] = lanes;
  trial.add("b1", 20);
  expect(trial.lanes.roomOf(lane)).toBeGreaterThan(0);
  expect(trial.lanes.takeStalled()).toEqual([]);
  const since = performance.now();
  await eventually(() => expect(trial.lanes.roomOf(lane)).toBe(0));
  // Long before one of its endpoints alone would be given up on.
  expect(performance.now() - since).toBeLessThan(1_000);
  await trial.end(true, "b");
  const taken = trial.lanes.takeStalled();
  expect(taken.every(({ organization_id }) => organization_id === "a")).toBe(true);
  expect(trial.lanes.room).toBeGreaterThanOrEqual(200);
  expect(trial.lanes.room).toBeLessThan(220);
  expect(trial.lanes.roomOf(lane)).toBeGreaterThan(0);
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
  expect(trial.lanes.room).toBe(BOUNDS.queued);
  await trial.lanes.whenIdle();
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
  trial.add("a1", 1_000);
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
  while (trial.count() > 1) await trial.end(false);
  // It fails: one at a time.
  for (let answers = 0; answers < 5; answers++) {
    await trial.end(false);
    expect(trial.count()).toBe(1);
  }
});

it("gives up on an endpoint that has stopped answering, and takes back what that does not get", async () => {
  const trial = new Trial({});
  const lane = trial.add("a1", 10);
  trial.add("a2", 1);
  expect(trial.lanes.takeStalled()).toEqual([]);
  await eventually(() => expect(lane.hasStalled(performance.now())).toBe(true));
  expect(trial.lanes.takeStalled().map(({ event_id }) => event_id)).toEqual([
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
  ]);
  // More of it is not begun, until it answers.
  trial.add("a1", 1);
  expect(trial.count("a1")).toBe(2);
  await trial.end(true, "a1");
  expect(trial.count("a1")).toBe(2);
});

it("does not leave an endpoint waiting behind those whose deliveries were taken back", async () => {
  const trial = new Trial({ in_flight_of_organization: 2 });
  const lanes = [trial.add("a1", 1), trial.add("a2", 1)];
  trial.add("a1", 3);
  trial.add("a2", 3);
  trial.add("a3", 1);
  const now = () => performance.now();
  await eventually(() => expect(lanes.every((lane) => lane.hasStalled(now()))).toBe(true));
  expect(trial.lanes.takeStalled()).toHaveLength(6);
  await trial.end(true, "a1");
  await trial.end(true, "a2");
  expect(trial.begun).toContain("a3");
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
