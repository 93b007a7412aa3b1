import { assert, date, nat, property, tuple } from "fast-check";
import { expect, it } from "vitest";
import { firstIdOf, newId, newTaggedId, tagOfId, timeOfId } from "./ids.ts";

const moment = date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true });

it("creates UUIDv7s of RFC 9562 that contain their time", () => {
  assert(
    property(moment, (at) => {
      const id = newId(at);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(at.getTime());
    }),
  );
});

it("creates ascending ids within a millisecond", () => {
  const at = new Date("2026-11-20T09:30:00.123Z");
  newId(new Date(0));
  const ids = Array.from({ length: 10_000 }, () => newId(at));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

it("creates ids that contain their time and a tag", () => {
  assert(
    property(tuple(moment, nat(0xffff_ffff)), ([at, tag]) => {
      const id = newTaggedId(at, tag);
      expect(timeOfId(id)).toEqual(at);
      expect(tagOfId(id)).toBe(tag);
      expect(newTaggedId(at, tag)).not.toBe(id);
    }),
  );
});

it("creates different ids, even when many have the same time", () => {
  const times = [new Date(1), new Date(2)];
  const ids = Array.from({ length: 50_000 }, (_, index) => newId(times[index % 2] ?? new Date()));
  expect(new Set(ids).size).toBe(ids.length);
});

it("returns the smallest id of a time, which separates earlier ids from later ones", () => {
  assert(
    property(tuple(moment, moment), ([one, other]) => {
      const first = firstIdOf(one);
      expect(newId(other) >= first).toBe(other >= one);
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-000000000000$/);
    }),
  );
});
