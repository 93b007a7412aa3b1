import { describe, expect, it } from "vitest";
import { describeApi } from "../../src/openapi/document.ts";
import { exampleOf } from "../../src/openapi/example.ts";
import { v1 } from "../../src/v1-router.ts";
import { validatorFor } from "./validator.ts";

const document = describeApi(v1, { server_url: "/v1", version: "1.2.3" });
const { schemas } = document.components;

const ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

describe("the validator", () => {
  const { validateResponse } = validatorFor(document);
  const request = { method: "GET", path: `/v1/payouts/${ID}` };
  const error = { code: "not_found", message: "", request_id: "r" };
  const payout = exampleOf(schemas.Payout ?? {}, schemas) as Record<string, unknown>;

  it("accepts documented responses", () => {
    validateResponse({ ...request, status: 200, body: { success: true, data: payout } });
    validateResponse({ ...request, status: 404, body: { success: false, error } });
    validateResponse({ method: "GET", path: "/v1/nothing", status: 404, body: { success: false, error } });
  });

  it.each([
    ["an undocumented status", { status: 409, body: { success: false, error } }],
    ["another status' code", { status: 401, body: { success: false, error } }],
    ["an unknown field", { status: 200, body: { success: true, data: { ...payout, colour: "green" } } }],
    ["a missing field", { status: 200, body: { success: true, data: { ...payout, method: undefined } } }],
    ["a wrong format", { status: 200, body: { success: true, data: { ...payout, id: "7" } } }],
    ["an unknown code", { status: 404, body: { success: false, error: { ...error, code: "gone" } } }],
    ["a missing header", { status: 404, body: { success: false, error }, headers: {} }],
  ])("rejects %s", (_, answer) => {
    const seen = { ...request, ...answer, body: JSON.parse(JSON.stringify(answer.body)) };
    expect(() => validateResponse(seen)).toThrow("openapi.json does not allow");
  });

  it("rejects a success without an operation", () => {
    const answer = { path: "/v1/payouts", status: 200, body: { success: true } };
    expect(() => validateResponse({ ...answer, method: "DELETE" })).toThrow();
    expect(() => validateResponse({ ...answer, method: "GET", path: "/v1/secrets" })).toThrow();
  });
});
