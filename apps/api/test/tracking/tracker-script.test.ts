import { buildScript } from "@findersfee/tracker/build";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedTestService, type TestService } from "../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

it("serves the script to every page, cacheable for a day, with an ETag", async () => {
  const response = await fetch(`${service.url}/tracker.js`, { headers: { origin: "https://shop.example" } });
  expect(await response.text()).toBe(buildScript("tracker.js"));
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
  const etag = response.headers.get("etag") ?? "";
  const again = await fetch(`${service.url}/tracker.js`, { headers: { "if-none-match": etag } });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  const head = await fetch(`${service.url}/tracker.js`, { method: "HEAD" });
  expect([head.status, head.headers.get("etag")]).toEqual([200, etag]);
});
