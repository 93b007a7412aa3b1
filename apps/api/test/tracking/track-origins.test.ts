import { eventually } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
import { staffOf } from "../staff.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { click, countedClicks, createTrackedProgram, type TrackedProgram } from "../tracking-program.ts";

/** A service with another origin allowed for its API, and one without. */
const services: TestService[] = [];

beforeAll(async () => {
  services.push(await startTestService());
  services.push(await startTestService({ cors_origins: ["https://app.example.org"] }));
});

afterAll(async () => {
  for (const service of services) await service.close();
});

describe.each([0, 1])("with other pages allowed for the API: %i", (index) => {
  let service: TestService;
  let program: TrackedProgram;

  beforeAll(async () => {
    service = services[index] ?? (await startTestService());
    program = await createTrackedProgram(service, {
      campaign: { website_url: "https://www.example.co.uk/shop" },
    });
  });

  it.each([
    "https://www.example.co.uk",
    "https://example.co.uk",
    "https://app.eu.example.co.uk",
    "http://example.co.uk:8080",
  ])("lets a page of %s track and read the response", async (origin) => {
    const { status, headers } = await click(program, {}, { origin });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect(headers.get("vary")?.toLowerCase()).toContain("origin");
    // The answer may set the cookie of the click; the service reads none.
    expect(headers.get("access-control-allow-credentials")).toBe("true");
  });

  it("lets the page read errors", async () => {
    const origin = "https://example.co.uk";
    const answer = await click(program, { code: "nobody" }, { origin });
    expect(responseError("rest", answer).code).toBe("not_found");
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  });

  it.each([
    "https://evil.co.uk",
    "https://co.uk",
    "https://example.co.uk.evil.example",
    "https://evilexample.co.uk",
    "https://app.example.org",
    "http://localhost",
    "null",
    "nonsense",
    "file://",
  ])("rejects a page of %s", async (origin) => {
    const before = await countedClicks(program);
    const answer = await click(program, {}, { origin });
    const { code, message } = responseError("rest", answer);
    expect(code).toBe("insufficient_scope");
    expect(message).toContain(origin);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await countedClicks(program)).toBe(before);
  });

  it("allows clients without an origin", async () => {
    const { status, headers } = await click(program);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  it.each(["/track/click", "/track/discount", "/track/signup"])(
    "answers a cacheable preflight for %s",
    async (path) => {
      const response = await fetch(service.url + path, {
        method: "OPTIONS",
        headers: {
          origin: "https://example.co.uk",
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type",
        },
      });
      expect([response.status, await response.text()]).toEqual([204, ""]);
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "content-type",
        "access-control-max-age": "86400",
      });
    },
  );

  it("does not allow the campaigns' pages to call the API", async () => {
    const origin = "https://www.example.co.uk";
    const response = await fetch(`${service.url}/v1/campaigns`, {
      headers: { origin, authorization: `Bearer ${program.organization.api_key}` },
    });
    expect(response.headers.get("access-control-allow-origin")).not.toBe(origin);
  });
});

it("allows a campaign's new page within a second, and pages of every campaign", async () => {
  const [service] = services;
  if (service === undefined) throw new Error("no service");
  const program = await createTrackedProgram(service, { campaign: { website_url: "http://localhost:3000" } });
  const local = { origin: "http://localhost:5173" };
  expect((await click(program, {}, local)).status).toBe(200);
  const moved = { origin: "https://jane.github.io" };
  expect((await click(program, {}, moved)).status).toBe(403);
  await program.organization.trpc.campaigns.create.mutate({
    name: "Second",
    commission_type: "percentage",
    commission_amount: 1,
    website_url: "https://jane.github.io/shop",
  });
  await eventually(async () => expect((await click(program, {}, moved)).status).toBe(200));
  expect((await click(program, {}, local)).status).toBe(200);
  expect((await click(program, {}, { origin: "https://john.github.io" })).status).toBe(403);
});

it("allows pages of the organization's further domains within a second, and no longer without them", async () => {
  const [service] = services;
  if (service === undefined) throw new Error("no service");
  const program = await createTrackedProgram(service, { campaign: { website_url: "https://acme.com" } });
  const { settings } = (await staffOf(service, program.organization.organization_id)).staff;
  const further = { origin: "https://app.acme.io" };
  expect((await click(program, {}, further)).status).toBe(403);
  expect(await settings.update.mutate({ website_domains: [" ACME.io", "bücher.example"] })).toMatchObject({
    website_domains: ["acme.io", "xn--bcher-kva.example"],
  });
  await eventually(async () => expect((await click(program, {}, further)).status).toBe(200));
  for (const website_domains of [["https://acme.io"], ["acme.io/shop"], [""], Array(21).fill("acme.io")]) {
    await expect(settings.update.mutate({ website_domains })).rejects.toThrow();
  }
  await settings.update.mutate({ website_domains: [] });
  await eventually(async () => expect((await click(program, {}, further)).status).toBe(403));
});
