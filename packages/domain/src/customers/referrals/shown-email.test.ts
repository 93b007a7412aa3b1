import { expect, it } from "vitest";
import { shownEmail } from "./shown-email.ts";

it.each([
  ["katherine.m@example.org", "k…m@example.org"],
  ["kim@example.org", "k…m@example.org"],
  ["jo@example.org", "j…@example.org"],
  ["j@example.org", "j…@example.org"],
  ['"a@b"@example.org', '"…"@example.org'],
  ["𝒶bc𝒹@example.org", "𝒶…𝒹@example.org"],
  ["@example.org", "…@example.org"],
])("shows of %s only %s", (email, shown) => {
  expect(shownEmail(email, { hide_emails: true })).toBe(shown);
  expect(shownEmail(email, { hide_emails: false })).toBe(email);
});

it("hides a text without an @ altogether", () => {
  expect(shownEmail("nonsense", { hide_emails: true })).not.toContain("onsens");
});
