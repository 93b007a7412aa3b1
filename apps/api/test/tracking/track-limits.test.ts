import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AddressLimiter } from "../../src/admission/address-limiter.ts";
import { networkOfAddress } from "../../src/admission/network.ts";
import type { TrustedProxies } from "../../src/config.ts";
import { responseError } from "../response-error.ts";
import { startTestService, type TestService } from "../test-service.ts";
import {
  click,
  countedClicks,
  createTrackedProgram,
  newVisitor,
  type TrackedProgram,
} from "../tracking-program.ts";

const LIMIT = 5;

let service: TestService;
let program: TrackedProgram;

beforeAll(async () => {
  service = await startTestService({ track_limit_per_minute: LIMIT, trust_proxy: 1 });
  program = await createTrackedProgram(service);
});

afterAll(() => service.close());

function clickFrom(address: string) {
  return click(program, {}, { "x-forwarded-for": address, ...newVisitor() });
}

it("rejects an address over the limit without counting its clicks or affecting others", async () => {
  const before = await countedClicks(program);
  for (let count = 0; count < LIMIT; count++) expect((await clickFrom("203.0.113.7")).status).toBe(200);
  const { code, message } = responseError("rest", await clickFrom("203.0.113.7"));
  expect(code).toBe("rate_limited");
  expect(message).toContain("address");
  expect((await clickFrom("203.0.113.8")).status).toBe(200);
  expect(await countedClicks(program)).toBe(before + LIMIT + 1);
});

it("includes sign-ups, links and otherwise rejected requests", async () => {
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
  // The API has separate limits.
  expect((await program.organization.rest("GET", "/campaigns", undefined, headers)).status).toBe(200);
});

describe("behind a proxy", () => {
  const other = { body: "{}", method: "POST" };

  /** Whether requests with these X-Forwarded-For addresses count against one limit. */
  async function countTogether(trust_proxy: TrustedProxies, claims: string[]): Promise<boolean> {
    const behind = await startTestService({ track_limit_per_minute: claims.length - 1, trust_proxy });
    try {
      const statuses = [];
      for (const claim of claims) {
        const headers = { "x-forwarded-for": claim };
        statuses.push((await fetch(`${behind.url}/track/click`, { ...other, headers })).status);
      }
      return statuses.at(-1) === 429;
    } finally {
      await behind.close();
    }
  }

  it.each([
    ["one proxy, after addresses forged by the client", 1, ["6.6.6.1, 203.0.113.7", "6.6.6.2, 203.0.113.7"]],
    ["two proxies", 2, ["6.6.6.1, 203.0.113.7, 10.0.0.1", "6.6.6.2, 203.0.113.7, 10.0.0.2"]],
    ["a range", ["127.0.0.0/8"], ["6.6.6.1, 203.0.113.7", "6.6.6.2, 203.0.113.7"]],
    ["a range that is not the proxy's", ["10.0.0.0/8"], ["203.0.113.7", "203.0.113.8"]],
    ["no proxy", false as const, ["203.0.113.7", "203.0.113.8"]],
  ])("takes the address from %s", async (_name, trust_proxy, claims) => {
    expect(await countTogether(trust_proxy, claims)).toBe(true);
  });

  it.each([
    ["one proxy", 1],
    ["a range", ["127.0.0.1"]],
  ])("distinguishes clients of %s", async (_name, trust_proxy) => {
    expect(await countTogether(trust_proxy, ["203.0.113.7", "203.0.113.8"])).toBe(false);
  });
});

it("sets no limit with 0", async () => {
  const free = await startTestService();
  try {
    const other = await createTrackedProgram(free);
    for (let count = 0; count < 50; count++) expect((await click(other)).status).toBe(200);
  } finally {
    await free.close();
  }
});

describe("the limiter", () => {
  it("distinguishes thousands of addresses", () => {
    const limiter = new AddressLimiter(10);
    let refused = 0;
    for (let address = 0; address < 5_000; address++) {
      for (let turn = 0; turn < 10; turn++) {
        if (limiter.count(`10.${address >> 8}.${address & 255}.1`)) refused++;
      }
    }
    // About one in 170 addresses shares both cells with others; each then still sends most of its requests.
    expect(refused / 50_000).toBeLessThan(0.01);
  });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2::1", "2001:db8:1:2"],
    ["2001:db8:1:2:ffff::9", "2001:db8:1:2"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[2001:db8:1:2::1]:4711", "2001:db8:1:2"],
    ["[2001:db8:1:2::1]", "2001:db8:1:2"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2"],
    ["", ""],
  ])("knows %s as %s", (address, network) => {
    expect(networkOfAddress(address)).toBe(network);
  });
});
