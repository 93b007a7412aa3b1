import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../test-service.ts";
import { click, createTrackedProgram, storedClicks } from "../tracking-program.ts";

let trusting: TestService;

beforeAll(async () => {
  trusting = await startTestService({ trust_proxy: ["127.0.0.1"], country_header: "cf-ipcountry" });
});

afterAll(() => trusting.close());

const FORWARDED = { "x-forwarded-for": "203.0.113.7" };

async function storedCountry(service: TestService, headers: Record<string, string>): Promise<string | null> {
  const program = await createTrackedProgram(service);
  await click(program, {}, headers);
  const [row] = await service.database<[{ country: string | null }]>`
    select country from clicks where organization_id = ${program.organization.organization_id}`;
  expect(await storedClicks(service.database, program)).toHaveLength(1);
  return row.country;
}

it.each([
  ["DE", "DE"],
  ["de", "DE"],
  ["", null],
  ["T1", null],
  ["DEU", null],
  ["<>", null],
])("a trusted proxy's country %j is stored as %j", async (country, stored) => {
  expect(await storedCountry(trusting, { ...FORWARDED, "cf-ipcountry": country })).toBe(stored);
});

it("nobody else's country is stored", async () => {
  expect(await storedCountry(trusting, { "cf-ipcountry": "DE" })).toBeNull();
});
