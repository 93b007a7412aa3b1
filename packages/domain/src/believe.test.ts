import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { believe } from "./believe.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A look-up that remembers what it was asked, and answers with how often that was. */
function counting() {
  const asked: string[] = [];
  const lookUp = async (key: string) => {
    asked.push(key);
    return asked.filter((other) => other === key).length;
  };
  return { asked, lookUp };
}

it("asks once while it believes, and again after that", async () => {
  const { asked, lookUp } = counting();
  const find = believe(lookUp, { milliseconds: 100, entries: 10 });
  expect([await find("a"), await find("a"), await find("b")]).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(99);
  expect(await find("a")).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await find("a")).toBe(2);
  expect(asked).toEqual(["a", "b", "a"]);
});

it("asks once for all who ask at the same time", async () => {
  const { asked, lookUp } = counting();
  const find = believe(lookUp, { milliseconds: 100, entries: 10 });
  expect(await Promise.all([find("a"), find("a"), find("a")])).toEqual([1, 1, 1]);
  expect(asked).toEqual(["a"]);
});

it("counts from the moment of asking", async () => {
  const { asked, lookUp } = counting();
  const find = believe(
    (key) => {
      vi.advanceTimersByTime(100);
      return lookUp(key);
    },
    { milliseconds: 100, entries: 10 },
  );
  await find("a");
  await find("a");
  expect(asked).toEqual(["a", "a"]);
});

it("keeps no more than it may, and forgets the oldest first", async () => {
  const { asked, lookUp } = counting();
  const find = believe(lookUp, { milliseconds: 100, entries: 2 });
  for (const key of ["a", "b", "c"]) await find(key);
  await find("c");
  await find("b");
  expect(asked).toEqual(["a", "b", "c"]);
  await find("a");
  expect(asked).toEqual(["a", "b", "c", "a"]);
});

it("tells a failure to those who asked, and keeps it not", async () => {
  let failures = 0;
  const find = believe(
    async () => {
      if (failures++ === 0) throw new Error("away");
      return "there";
    },
    { milliseconds: 100, entries: 2 },
  );
  const both = await Promise.allSettled([find("a"), find("a")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await find("a")).toBe("there");
});
