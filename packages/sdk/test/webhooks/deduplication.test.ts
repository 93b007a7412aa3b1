import { expect, it } from "vitest";
import { memoryDeduplication } from "../../src/webhooks.ts";

it("lets one of two copies claim an event, and none once it was handled", () => {
  const deduplication = memoryDeduplication();
  expect(deduplication.claim("a")).toBe("claimed");
  expect(deduplication.claim("a")).toBe("busy");
  expect(deduplication.claim("b")).toBe("claimed");
  deduplication.complete("a");
  expect(deduplication.claim("a")).toBe("handled");
});

it("lets an event be claimed again after its handling failed", () => {
  const deduplication = memoryDeduplication();
  deduplication.claim("a");
  deduplication.release("a");
  expect(deduplication.claim("a")).toBe("claimed");
});

it("evicts the oldest handled events beyond its capacity", () => {
  const deduplication = memoryDeduplication({ capacity: 2 });
  for (const id of ["a", "b", "c"]) {
    deduplication.claim(id);
    deduplication.complete(id);
  }
  expect(["b", "c", "a"].map((id) => deduplication.claim(id))).toEqual(["handled", "handled", "claimed"]);
});

it("never evicts an event in progress, and handles at most its capacity at once", () => {
  const deduplication = memoryDeduplication({ capacity: 2 });
  expect(["a", "b", "c"].map((id) => deduplication.claim(id))).toEqual(["claimed", "claimed", "busy"]);
  deduplication.release("b");
  expect(deduplication.claim("c")).toBe("claimed");
});
