import { expect, it } from "vitest";
import { FairQueue, type QueueLimits } from "./fair-queue.ts";

class Refused extends Error {}

/**
 * A queue with works that end when the test says so, and the names of works in the order in which they start.
 */
function openQueue(limits: Partial<QueueLimits> = {}) {
  const queue = new FairQueue(
    { at_once: 1, of_share: 3, of_all: 6, milliseconds: 60_000, ...limits },
    () => new Refused(),
  );
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (share: string, name: string, isWaiting = () => true) =>
    queue
      .run({ share, isWaiting }, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      })
      .catch((error: unknown) => {
        expect(error).toBeInstanceOf(Refused);
        return `${name} refused`;
      });
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { ask, started, endAll };
}

it("begins with the shares that had the fewest works", async () => {
  const { ask, started, endAll } = openQueue();
  const asked = ["a1", "a2", "a3", "b1", "c1", "b2"].map((name) => ask(name.slice(0, 1), name));
  await endAll();
  expect(await Promise.all(asked)).toEqual(["a1", "a2", "a3", "b1", "c1", "b2"]);
  expect(started).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

it("refuses what is beyond a share, and in a full queue the last of the largest share", async () => {
  const { ask, started, endAll } = openQueue();
  const names = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3", "c1", "d1"];
  const asked = names.map((name) => ask(name.slice(0, 1), name));
  await endAll();
  expect(await Promise.all(asked)).toEqual([
    ...["a1", "a2", "a3", "a4 refused", "a5 refused"],
    ...["b1", "b2", "b3 refused", "c1", "d1"],
  ]);
  expect(started).toEqual(["a1", "b1", "c1", "d1", "a2", "b2", "a3"]);
});

it("refuses a further share only if no other has more than one", async () => {
  const { ask, endAll } = openQueue({ of_all: 2 });
  const asked = ["a1", "b1", "c1", "d1"].map((name) => ask(name.slice(0, 1), name));
  await endAll();
  expect(await Promise.all(asked)).toEqual(["a1", "b1", "c1", "d1 refused"]);
});

it("leaves out work for nobody, and what waited too long", async () => {
  const { ask, started, endAll } = openQueue();
  const asked = [ask("a", "a1"), ask("a", "a2", () => false), ask("b", "b1")];
  await endAll();
  expect(await Promise.all(asked)).toEqual(["a1", "a2 refused", "b1"]);
  expect(started).toEqual(["a1", "b1"]);
  const late = openQueue({ milliseconds: -1 });
  const others = [late.ask("a", "a1"), late.ask("a", "a2")];
  await late.endAll();
  expect(await Promise.all(others)).toEqual(["a1", "a2 refused"]);
});
