/*
 * Programs without newer features: their decisions stay the same, to the byte, and so do the fields that answers and events had.
 * `recorded.json` was written by an earlier version of the service, before campaigns had rules, leads, reviews and signals.
 */
import { makeContext } from "@findersfee/domain/testing/subscriber";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../test-service.ts";
import recorded from "./recorded.json" with { type: "json" };
import { recordStory } from "./story.ts";
import type { Texts } from "./texts.ts";

let service: TestService;
let now: Texts;

beforeAll(async () => {
  service = await startTestService();
  const { organization_id, rest } = await service.organization();
  const made = await makeContext(service.database);
  const context = { ...made, organization: { ...made.organization, id: organization_id } };
  now = await recordStory({ context, rest }, recorded.paths);
});

afterAll(() => service.close());

it("decides as it did", () => {
  expect(Object.keys(now.decisions)).toHaveLength(24);
  expect(now.decisions).toEqual(recorded.decisions);
});

it.each(Object.entries(recorded.answers))(
  "answers GET %s as it did, apart from further fields",
  (path, answer) => {
    expect(JSON.stringify(withoutNewFields(now.answers[path], answer))).toBe(JSON.stringify(answer));
  },
);

it("publishes the events that it did, apart from further fields", () => {
  expect(now.events.length).toBeGreaterThan(20);
  expect(JSON.stringify(withoutNewFields(now.events, recorded.events))).toBe(JSON.stringify(recorded.events));
});

/** The fields of a former answer, in their order now. */
function withoutNewFields(value: unknown, former: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(former)) {
    return value.map((item, index) => withoutNewFields(item, former[index]));
  }
  if (!isObject(value) || !isObject(former)) return value;
  const kept = Object.entries(value).filter(([name]) => name in former);
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutNewFields(item, former[name])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
