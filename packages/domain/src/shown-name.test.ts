import { expect, it } from "vitest";
import { requireNoAddress } from "./shown-name.ts";

it.each([
  "Acme",
  "Jörg O'Neill-Müller, Jr.",
  "Booking.com",
  "Booking.com Partner Program",
  "Dr.Smith & Co. KG",
  "J.R.R. Tolkien",
  "Node.js Users",
  "St. Gallen 2.0",
  "王小明",
])("accepts the name %s", (name) => {
  expect(() => requireNoAddress("name", name)).not.toThrow();
});

it.each([
  "Acme. SUSPENDED: verify at https://acme-verify.example/login",
  "Findersfee Security (https://evil.example/reset)",
  "Verify at acme-verify.com",
  "acme-verify.com asks you to confirm your account today",
  "Acme www.evil",
  "Write to help@evil.test",
  "evil.com/login",
  "Acme：//evil",
  "evil．com is where Acme moved to",
])("refuses the name %s", (name) => {
  expect(() => requireNoAddress("name", name)).toThrow(
    expect.objectContaining({ code: "invalid_request", issues: [expect.objectContaining({ path: "name" })] }),
  );
});
