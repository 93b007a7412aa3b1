import { expect, it } from "vitest";
import { memoryDeduplication } from "../../src/webhooks.ts";

it("gives an event to one of two copies, and to no copy once it was handled", () => {
  const deduplication = memoryDeduplication();
  expect(deduplication.claim("a")).toBe("claimed");
  expect(deduplication.claim("a")).toBe("busy");
  expect(deduplication.claim("b")).toBe("claimed");
  deduplication.complete("a");
  expect(deduplication.claim("a")).toBe("handled");
});

it("gives an event again whose handling failed", () => {
  const deduplication = memoryDeduplication();
  deduplication.claim("a");
  deduplication.release("a");
  expect(deduplication.claim("a")).toBe("claimed");
});

it("forgets the oldest of the handled ones beyond its capacity", () => {
  const deduplication = memoryDeduplication({ capacity: 2 });
  for (const id of ["a", "b", "c"]) {
    deduplication.claim(id);
    deduplication.complete(id);
  }
  expect(["b", "c", "a"].map((id) => deduplication.claim(id))).toEqual(["handled", "handled", "claimed"]);
});

it("never forgets one that is being handled, and takes no more at once than its capacity", () => {
  const deduplication = memoryDeduplication({ capacity: 2 });
  expect(["a", "b", "c"].map((id) => deduplication.claim(id))).toEqual(["claimed", "claimed", "busy"]);
  deduplication.release("b");
  expect(deduplication.claim("c")).toBe("claimed");
});
