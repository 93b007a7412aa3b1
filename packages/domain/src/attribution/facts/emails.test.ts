import { expect, it } from "vitest";
import { isSameAddress } from "./emails.ts";

it.each([
  ["jane@example.com", "jane@example.com"],
  ["Jane@Example.COM", "jane@example.com"],
  ["jane+shop@example.com", "jane@example.com"],
  ["jane+a@example.com", "jane+b+c@example.com"],
  ["j.a.n.e@gmail.com", "jane@gmail.com"],
  ["Jane.Doe+shop@googlemail.com", "janedoe@gmail.com"],
  [" jane@example.com", "jane@example.com"],
])("%s is %s", (a, b) => {
  expect(isSameAddress(a, b)).toBe(true);
  expect(isSameAddress(b, a)).toBe(true);
});

it.each([
  ["jane@example.com", "jane@example.org"],
  ["jane@example.com", "john@example.com"],
  // Other providers treat dots as part of the name.
  ["j.ane@example.com", "jane@example.com"],
  ["jane@mail.gmail.com", "j.ane@mail.gmail.com"],
  ["jane@example.com+tag", "jane@example.com"],
  ["+jane@example.com", "+john@example.com"],
  ["", "jane@example.com"],
  ["jane", "jane@example.com"],
])("%s is not %s", (a, b) => {
  expect(isSameAddress(a, b)).toBe(false);
  expect(isSameAddress(b, a)).toBe(false);
});

it("ignores names inherited from Object.prototype", () => {
  expect(isSameAddress("a.b@constructor", "ab@constructor")).toBe(false);
});
