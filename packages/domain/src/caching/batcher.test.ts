import { expect, it } from "vitest";
import { createBatcher } from "./batcher.ts";

const LIMITS = {
  max_batch_size: 3,
  max_concurrent_batches: 2,
  max_queued: 100,
  max_wait_milliseconds: 60_000,
};

/** Batches that finish on demand. */
function heldWork() {
  const batches: { key: string; items: number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const work = (key: string, items: number[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({
        key,
        items,
        finish: () => resolve(items.map((item) => `${key}${item}`)),
        fail: reject,
      });
    });
  return { batches, work };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

it("resolves each item with its own result, regardless of the order in which batches finish", async () => {
  const { batches, work } = heldWork();
  const ask = createBatcher(work, LIMITS);
  const answers = Array.from({ length: 20 }, (_, item) => ask(item % 4 === 3 ? "b" : "a", item));
  for (let round = 0; round < 20; round++) {
    await turn();
    batches.pop()?.finish();
  }
  expect(await Promise.all(answers)).toEqual(
    Array.from({ length: 20 }, (_, item) => `${item % 4 === 3 ? "b" : "a"}${item}`),
  );
});

it("limits the batches of each key, oldest items first, and keys do not wait for each other", async () => {
  const { batches, work } = heldWork();
  const ask = createBatcher(work, LIMITS);
  const stuck = Array.from({ length: 10 }, (_, item) => ask("a", item));
  await turn();
  const other = ask("b", 1);
  await turn();
  expect(batches.map(({ key, items }) => [key, items])).toEqual([
    ["a", [0, 1, 2]],
    ["a", [3, 4, 5]],
    ["b", [1]],
  ]);
  batches[2]?.finish();
  expect(await other).toBe("b1");
  batches[1]?.finish();
  await turn();
  expect(batches[3]?.items).toEqual([6, 7, 8]);
  for (let round = 0; round < 6; round++) {
    for (const { finish } of batches) finish();
    await turn();
  }
  expect(await Promise.all(stuck)).toHaveLength(10);
});

it("rejects the items of a failed batch only, even if it throws synchronously", async () => {
  const ask = createBatcher<number, number>((_key, items) => {
    if (items.includes(1)) throw new Error("refused");
    return Promise.resolve(items);
  }, LIMITS);
  const answers = await Promise.allSettled([0, 1, 2, 3, 4].map((item) => ask("a", item)));
  expect(answers.map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(await ask("a", 7)).toBe(7);
});

it("rejects items when the queue is full, and items that waited too long", async () => {
  const { batches, work } = heldWork();
  const ask = createBatcher(work, {
    max_batch_size: 1,
    max_concurrent_batches: 1,
    max_queued: 2,
    max_wait_milliseconds: 40,
  });
  const first = ask("a", 1);
  await turn();
  const late = Promise.allSettled([ask("a", 2), ask("a", 3)]);
  await expect(ask("a", 4)).rejects.toMatchObject({ code: "unavailable" });
  const since = performance.now();
  await expect.poll(() => performance.now() - since, { interval: 5 }).toBeGreaterThan(45);
  // Rejected late items make room for the next one.
  const fresh = ask("a", 5);
  for (const answer of await late) expect(answer).toMatchObject({ reason: { code: "unavailable" } });
  batches[0]?.finish();
  expect(await first).toBe("a1");
  await turn();
  batches[1]?.finish();
  expect(await fresh).toBe("a5");
  expect(batches.map(({ items }) => items)).toEqual([[1], [5]]);
});
