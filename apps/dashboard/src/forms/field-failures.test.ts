import { RequestFailed } from "@findersfee/ui/requests/failure";
import { expect, it } from "vitest";
import { FieldRefused, fieldFailures, namedIssue } from "./field-failures.ts";

function refused(...paths: string[]): RequestFailed {
  const issues = paths.map((path) => ({ path, message: "Is wrong." }));
  const error = { code: "invalid_request" as const, message: "Invalid.", issues, request_id: "req-1" };
  return new RequestFailed(new Response(null, { status: 400 }), error);
}

it.each([
  ["amounts", "amounts", "Is wrong."],
  ["amounts.JPY", "amounts", "JPY: Is wrong."],
  ["amounts.JPY", "amounts.JPY", "Is wrong."],
  ["networks[1]", "networks", "Line 2: Is wrong."],
  ["organization.name", "organization.name", "Is wrong."],
])("shows an error of %s at the field %s", (path, field, message) => {
  const { errorOf, failure } = fieldFailures(refused(path), ["amounts", "networks", "organization.name"]);
  expect(errorOf(field)).toBe(message);
  expect(failure).toBeNull();
});

it("shows an error of no field of the form below it", () => {
  const { errorOf, failure } = fieldFailures(refused("organization.name", "other.JPY"), ["organization"]);
  expect(errorOf("organization")).toBeUndefined();
  expect(failure?.message).toBe("Organization name: Is wrong. Other JPY: Is wrong.");
});

it("shows an error of no field beside those of fields", () => {
  const { errorOf, failure } = fieldFailures(refused("name", "support_email"), ["name"]);
  expect(errorOf("name")).toBe("Is wrong.");
  expect(failure?.message).toBe("Support email: Is wrong.");
});

it.each([
  ["commission_amount", "Commission: Is wrong."],
  ["commission_amount.amount", "Commission: Is wrong."],
  ["custom_fields[2].label", "Custom fields label: Is wrong."],
  ["", "Is wrong."],
])("names the field %s", (path, text) => {
  expect(namedIssue({ path, message: "Is wrong." }, { commission_amount: "Commission" })).toBe(text);
});

it("shows at its field what the form itself refuses", () => {
  const { errorOf, failure } = fieldFailures(new FieldRefused("amounts", "Is no amount."), ["amounts"]);
  expect(errorOf("amounts")).toBe("Is no amount.");
  expect(failure).toBeNull();
});
