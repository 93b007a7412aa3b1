import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressLimiter, networkOf } from "../src/tracking/address-limit.ts";
import { refusalOf } from "./refusal.ts";
import { startTestService, type TestService } from "./test-service.ts";
import { click, countedClicks, createTrackedProgram, type TrackedProgram } from "./tracking-program.ts";

const LIMIT = 5;

let service: TestService;
let program: TrackedProgram;

beforeAll(async () => {
  service = await startTestService({ track_limit_per_minute: LIMIT, trust_proxy: true });
  program = await createTrackedProgram(service);
});

afterAll(() => service.close());

function clickFrom(address: string) {
  return click(program, {}, { "x-forwarded-for": address });
}

it("refuses an address that is over the limit, counts nothing for it, and bothers no other one", async () => {
  const before = await countedClicks(program);
  for (let count = 0; count < LIMIT; count++) expect((await clickFrom("203.0.113.7")).status).toBe(200);
  const { code, message } = refusalOf("rest", await clickFrom("203.0.113.7"));
  expect(code).toBe("rate_limited");
  expect(message).toContain("address");
  expect((await clickFrom("203.0.113.8")).status).toBe(200);
  expect(await countedClicks(program)).toBe(before + LIMIT + 1);
});

it("counts sign-ups and links with them, and what is refused otherwise", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9" };
  for (let count = 0; count < LIMIT; count++) await click(program, { key: "nonsense" }, headers);
  const link = await fetch(`${service.url}/r/jane?key=${program.organization.publishable_key}`, {
    redirect: "manual",
    headers,
  });
  expect(link.status).toBe(429);
  const signup = await fetch(`${service.url}/track/signup`, { method: "POST", headers, body: "{}" });
  expect(signup.status).toBe(429);
  expect((await fetch(`${service.url}/tracker.js`, { headers })).status).toBe(200);
  // The API has limits of its own.
  expect((await program.organization.rest("GET", "/campaigns", undefined, headers)).status).toBe(200);
});

it("is off with 0", async () => {
  const free = await startTestService();
  try {
    const other = await createTrackedProgram(free);
    for (let count = 0; count < 50; count++) expect((await click(other)).status).toBe(200);
  } finally {
    await free.close();
  }
});

describe("the limiter", () => {
  it("tells some thousand addresses apart", () => {
    const count = addressLimiter(10);
    let refused = 0;
    for (let address = 0; address < 5_000; address++) {
      for (let turn = 0; turn < 10; turn++) {
        if (count(`10.${address >> 8}.${address & 255}.1`).refused) refused++;
      }
    }
    // Both slots shared with others happens to about one in 170; each then still has made most of its requests.
    expect(refused / 50_000).toBeLessThan(0.01);
  });

  it("takes all addresses of an IPv6 network for one", () => {
    const count = addressLimiter(1);
    expect(count("2001:db8:1:2::1").refused).toBe(false);
    expect(count("2001:db8:1:2:ffff::9").refused).toBe(true);
    expect(count("2001:db8:1:3::1").refused).toBe(false);
  });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["", ""],
  ])("knows %s as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
