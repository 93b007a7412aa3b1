import { expect, it } from "vitest";
import { gather } from "./gather.ts";

const LIMITS = { items: 3, at_once: 2, waiting: 100, wait_milliseconds: 60_000 };

/** Work that ends when it is told to. */
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

it("gives each item its own result, whatever is done together and in whatever order it ends", async () => {
  const { batches, work } = heldWork();
  const ask = gather(work, LIMITS);
  const answers = Array.from({ length: 20 }, (_, item) => ask(item % 4 === 3 ? "b" : "a", item));
  for (let round = 0; round < 20; round++) {
    await turn();
    batches.pop()?.finish();
  }
  expect(await Promise.all(answers)).toEqual(
    Array.from({ length: 20 }, (_, item) => `${item % 4 === 3 ? "b" : "a"}${item}`),
  );
});

it("keeps to its bounds for each key, first come first served, and keys do not wait for each other", async () => {
  const { batches, work } = heldWork();
  const ask = gather(work, LIMITS);
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

it("fails those that were done together, and nobody else, even when the work throws at once", async () => {
  const ask = gather<number, number>((_key, items) => {
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

it("refuses what would wait beyond the bound, and does not do what has waited too long", async () => {
  const { batches, work } = heldWork();
  const ask = gather(work, { items: 1, at_once: 1, waiting: 2, wait_milliseconds: 40 });
  const first = ask("a", 1);
  await turn();
  const late = Promise.allSettled([ask("a", 2), ask("a", 3)]);
  await expect(ask("a", 4)).rejects.toMatchObject({ code: "unavailable" });
  const since = performance.now();
  await expect.poll(() => performance.now() - since, { interval: 5 }).toBeGreaterThan(45);
  // Those that are late make room for the next one.
  const fresh = ask("a", 5);
  for (const answer of await late) expect(answer).toMatchObject({ reason: { code: "unavailable" } });
  batches[0]?.finish();
  expect(await first).toBe("a1");
  await turn();
  batches[1]?.finish();
  expect(await fresh).toBe("a5");
  expect(batches.map(({ items }) => items)).toEqual([[1], [5]]);
});
