import type { KnownHistory, Present } from "@findersfee/database/history";
import { describe, expect, it } from "vitest";
import { findStepBack, isAccepted, withoutOld } from "../../src/continuity/compare.ts";
import { newId } from "../../src/ids.ts";

const NOW = new Date("2026-01-31T12:00:00Z");
const DAY = 24 * 60 * 60 * 1000;
const event = { organization_id: newId(NOW), event_id: newId(NOW) };
const EARLIER = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
const LATER = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91";

const memory: KnownHistory = {
  system_identifier: "1",
  timeline: 2,
  position: 100n,
  accepted_id: EARLIER,
  seen_at: NOW,
};

function accepted(changes: Partial<NonNullable<Present["accepted"]>> = {}): NonNullable<Present["accepted"]> {
  const facts = { system_identifier: "1", accepted_by: "jane", lost_events: 0 };
  return { id: EARLIER, accepted_at: NOW, ...facts, ...changes };
}

function present(changes: Partial<Present> = {}): Present {
  return {
    is_standby: false,
    system_identifier: "1",
    timeline: 2,
    next_position: 101n,
    newest: [],
    missing: [],
    accepted: accepted(),
    read_at: NOW,
    ...changes,
  };
}

describe("findStepBack", () => {
  it.each<[string, Partial<Present>]>([
    ["the same state", {}],
    ["a later one", { next_position: 5_000n, accepted: accepted({ id: LATER }) }],
    ["a higher timeline with all events", { timeline: 3 }],
    ["a lagging standby", { timeline: null, next_position: 1n }],
    ["an identifier that the role may not read", { system_identifier: null }],
  ])("passes %s", (_, changes) => {
    expect(findStepBack(memory, present(changes))).toBeNull();
  });

  it.each<[string, Partial<Present>, RegExp]>([
    ["another cluster", { system_identifier: "9" }, /another database cluster/],
    ["another cluster, as a standby", { system_identifier: "9", timeline: null }, /another database cluster/],
    ["an older timeline", { timeline: 1 }, /from timeline 2 to 1/],
    ["a lower position", { next_position: 100n }, /below 100/],
    ["a former acceptance", { accepted: null }, /last accepted/],
    ["a missing event", { missing: [event] }, new RegExp(`${event.event_id}\\.$`)],
    [
      "missing events of a branch",
      { missing: [event, event], timeline: 3 },
      /and 1 others\. Timeline 3 branched off/,
    ],
  ])("stops at %s", (_, changes, reason) => {
    expect(findStepBack(memory, present(changes))).toMatch(reason);
  });
});

describe("isAccepted", () => {
  it.each<[string, boolean, Present["accepted"]]>([
    ["nothing", false, null],
    ["what was known", false, accepted()],
    ["a later acceptance", true, accepted({ id: LATER })],
    ["one of another cluster", false, accepted({ id: LATER, system_identifier: "9" })],
    ["one from before", false, accepted({ id: LATER, accepted_at: new Date(NOW.getTime() - DAY) })],
    [
      "one by a clock that is a little late",
      true,
      accepted({ id: LATER, accepted_at: new Date(NOW.getTime() - 30_000) }),
    ],
  ])("of %s: %s", (_, expected, acceptance) => {
    expect(isAccepted(memory, present({ accepted: acceptance }))).toBe(expected);
  });
});

it("forgets events that retention may have deleted", () => {
  const ages = [0, 84, 86].map((days) => ({
    ...event,
    event_id: newId(new Date(NOW.getTime() - days * DAY)),
  }));
  expect(withoutOld(ages, NOW)).toEqual(ages.slice(0, 2));
});
