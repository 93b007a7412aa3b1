import { expect, it } from "vitest";
import { partOfEmail } from "./part-of-email.ts";

it.each([
  ["customer@example.org", "c***@example.org"],
  ["c@example.org", "c***@example.org"],
  ['"a@b"@example.org', '"***@example.org'],
])("shows of %s only %s", (email, part) => {
  expect(partOfEmail(email)).toBe(part);
});
