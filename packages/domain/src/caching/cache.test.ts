import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DomainError } from "../errors.ts";
import { createCache } from "./cache.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  // For lru-cache, an entry of time 0 has no time to live. A real process is older than that.
  vi.advanceTimersByTime(1);
});

afterEach(() => {
  vi.useRealTimers();
});

/** A lookup that records its keys, and returns the number of calls for the key. */
function counting() {
  const asked: string[] = [];
  const lookUp = async (key: string) => {
    asked.push(key);
    return asked.filter((other) => other === key).length;
  };
  return { asked, lookUp };
}

it("looks a key up again after its time to live", async () => {
  const { asked, lookUp } = counting();
  const find = createCache(lookUp, { ttl_milliseconds: 100, max_entries: 10 });
  expect([await find("a"), await find("a"), await find("b")]).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(100);
  expect(await find("a")).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await find("a")).toBe(2);
  expect(asked).toEqual(["a", "b", "a"]);
});

it("shares one lookup between concurrent calls", async () => {
  const { asked, lookUp } = counting();
  const find = createCache(lookUp, { ttl_milliseconds: 100, max_entries: 10 });
  expect(await Promise.all([find("a"), find("a"), find("a")])).toEqual([1, 1, 1]);
  expect(asked).toEqual(["a"]);
});

it("starts the time to live when the lookup starts", async () => {
  const { asked, lookUp } = counting();
  const find = createCache(
    (key) => {
      vi.advanceTimersByTime(101);
      return lookUp(key);
    },
    { ttl_milliseconds: 100, max_entries: 10 },
  );
  await find("a");
  await find("a");
  expect(asked).toEqual(["a", "a"]);
});

it("evicts the least recently used key", async () => {
  const { asked, lookUp } = counting();
  const find = createCache(lookUp, { ttl_milliseconds: 100, max_entries: 2 });
  for (const key of ["a", "b", "c"]) await find(key);
  await find("c");
  await find("b");
  expect(asked).toEqual(["a", "b", "c"]);
  await find("a");
  expect(asked).toEqual(["a", "b", "c", "a"]);
});

it("rejects every caller of a failed lookup, and does not cache the failure", async () => {
  let failures = 0;
  const find = createCache(
    async () => {
      if (failures++ === 0) throw new Error("away");
      return "there";
    },
    { ttl_milliseconds: 100, max_entries: 2 },
  );
  const both = await Promise.allSettled([find("a"), find("a")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await find("a")).toBe("there");
});

it("returns a value from before an outage, up to the age that it may have", async () => {
  let is_away = false;
  const find = createCache(
    async () => {
      if (is_away) throw new DomainError("unavailable");
      return "known";
    },
    { ttl_milliseconds: 100, memory_milliseconds: 1_000, max_entries: 2 },
  );
  expect(await find("a")).toBe("known");
  is_away = true;
  vi.advanceTimersByTime(500);
  expect(find.peek("a")).toBeUndefined();
  expect(await find("a")).toBe("known");
  // It does not become younger by being returned.
  vi.advanceTimersByTime(501);
  await expect(find("a")).rejects.toThrow(DomainError);
  await expect(find("b")).rejects.toThrow(DomainError);
});

it("returns no former value after another error", async () => {
  let is_broken = false;
  const find = createCache(
    async () => {
      if (is_broken) throw new Error("broken");
      return "known";
    },
    { ttl_milliseconds: 100, memory_milliseconds: 1_000, max_entries: 2 },
  );
  await find("a");
  is_broken = true;
  vi.advanceTimersByTime(500);
  await expect(find("a")).rejects.toThrow("broken");
});
