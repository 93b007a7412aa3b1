import { afterAll, beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { openBrowser } from "../browser.ts";
import { sendSlowBodies, sendSlowBody } from "../slow-body.ts";
import { startTestService, type TestService } from "../test-service.ts";

/* Anyone may call the paths below `/auth`, so each request is bounded before the service works on it. */

const OWN_PAGE = { "sec-fetch-site": "same-origin" };

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it("refuses bodies that are too large, and those that are not JSON", async () => {
  const large = await openBrowser(service).post("/auth/sign-in", { email: "x".repeat(70_000) });
  expect(large.status).toBe(413);
  const form = await openBrowser(service).post("/auth/sign-in", {}, { "content-type": "text/plain" });
  expect(form.status).toBe(415);
});

it("refuses long fields without hashing them", async () => {
  const body = { email: "jane@example.com", password: "x".repeat(129) };
  const { status, body: answer } = await openBrowser(service).post("/auth/sign-in", body);
  expect({ status, issues: answer.error.issues }).toMatchObject({
    status: 400,
    issues: [{ path: "password" }],
  });
});

it("gives up on a body that does not arrive in time", async () => {
  const hasty = await startTestService({}, { ...LIMITS, body_milliseconds: 300 });
  try {
    const connection = await sendSlowBody(hasty.url, "/auth/sign-in", OWN_PAGE);
    const answer = await connection.answer();
    expect(answer?.body.error).toMatchObject({
      code: "invalid_request",
      message: "The body did not arrive in time.",
    });
    await connection.ended;
  } finally {
    await hasty.close();
  }
});

it("lets nobody wait for slow bodies of others", async () => {
  const slow = await sendSlowBodies(30, service.url, "/auth/sign-in", OWN_PAGE);
  const { status } = await openBrowser(service).post("/auth/setup/status", { token: "x" });
  expect(status).toBe(404);
  for (const connection of slow) connection.close();
});
