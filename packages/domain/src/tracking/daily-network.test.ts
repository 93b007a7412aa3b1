import { expect, it } from "vitest";
import { dailyNetworkKey, hashDailyNetwork } from "./daily-network.ts";
import { visitorKey } from "./visitor.ts";

const SECRET = Buffer.alloc(32, 1);
const KEY = dailyNetworkKey(SECRET);
const NETWORK = { organization_id: "a", network: "203.0.113.7" };
const MORNING = new Date("2026-11-20T00:00:00.000Z");
const EVENING = new Date("2026-11-20T23:59:59.999Z");
const NEXT_DAY = new Date("2026-11-21T00:00:00.000Z");

it("returns the same hash for a network all day, and another one the next day", () => {
  const hash = hashDailyNetwork(KEY, NETWORK, MORNING);
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(hashDailyNetwork(KEY, NETWORK, EVENING)).toEqual(hash);
  expect(hashDailyNetwork(KEY, NETWORK, NEXT_DAY)).not.toEqual(hash);
});

it("distinguishes networks, organizations and services, and has a key of its own", () => {
  const hashes = [
    hashDailyNetwork(KEY, NETWORK, MORNING),
    hashDailyNetwork(KEY, { ...NETWORK, network: "203.0.113.8" }, MORNING),
    hashDailyNetwork(KEY, { ...NETWORK, organization_id: "b" }, MORNING),
    hashDailyNetwork(dailyNetworkKey(Buffer.alloc(32, 2)), NETWORK, MORNING),
    hashDailyNetwork(visitorKey(SECRET), NETWORK, MORNING),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
