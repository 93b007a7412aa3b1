import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedTestService, type TestService } from "../test-service.ts";
import {
  awayFromTheHour,
  BROWSER,
  click,
  countedClicks,
  createTrackedProgram,
  newVisitor,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";

let service: TestService;
let program: TrackedProgram;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createTrackedProgram(service);
});

/** The sub-ids of the stored clicks, in order. */
async function stored(): Promise<(string | null)[]> {
  return (await storedClicks(service.database, program)).map(({ sub_id }) => sub_id);
}

/** The counted clicks by sub-id. */
async function counted(): Promise<Record<string, number>> {
  const rows = await service.database<{ sub_id: string; clicks: bigint }[]>`
    select sub_id, clicks from sub_id_clicks
    where organization_id = ${program.organization.organization_id} and affiliate_id = ${program.affiliate.id}
      and day >= (now() at time zone 'UTC')::date - 1
    order by sub_id`;
  return Object.fromEntries(rows.map(({ sub_id, clicks }) => [sub_id, Number(clicks)]));
}

describe("a click with a sub-id", () => {
  it("stores it", async () => {
    const { status } = await click(program, { sub: "newsletter-11.a_B" });
    expect(status).toBe(200);
    expect(await stored()).toEqual(["newsletter-11.a_B"]);
    expect(await counted()).toEqual({ "newsletter-11.a_B": 1 });
  });

  it.each([
    "",
    "two words",
    "jane@example.com",
    "x".repeat(65),
    "ü",
    "a\u0000",
    "<b>",
    "a\n",
    7,
    null,
    ["a"],
    { a: 1 },
  ])("is recorded without it if it is %j", async (sub) => {
    const { status, body } = await click(program, { sub });
    expect(status).toBe(200);
    expect(body.data.click_id).toEqual(expect.any(String));
    expect(await stored()).toEqual([null]);
    expect(await counted()).toEqual({});
    expect(await countedClicks(program)).toBe(1);
  });

  it("counts once for a visitor, link and hour, like the affiliate's clicks", async () => {
    await awayFromTheHour();
    for (const sub of ["first", "second", "first"]) await click(program, { sub });
    expect(await stored()).toEqual(["first", "second", "first"]);
    expect(await counted()).toEqual({ first: 1 });
    await click(program, { sub: "second" }, newVisitor());
    expect(await counted()).toEqual({ first: 1, second: 1 });
    expect(await countedClicks(program)).toBe(2);
  });

  it("counts each visitor of a batch", async () => {
    await awayFromTheHour();
    const visitors = Array.from({ length: 60 }, newVisitor);
    await Promise.all(
      visitors.flatMap((visitor, index) => [
        click(program, { sub: `place-${index % 3}` }, visitor),
        click(program, index % 2 === 0 ? { sub: `place-${index % 3}` } : {}, visitor),
      ]),
    );
    const clicks = await counted();
    const all = Object.values(clicks).reduce((sum, count) => sum + count, 0);
    expect(Object.keys(clicks)).toEqual(["place-0", "place-1", "place-2"]);
    // Where the click without a sub-id was counted, the other one was not.
    expect(all).toBeLessThanOrEqual(60);
    expect(all).toBeGreaterThanOrEqual(30);
    expect(await countedClicks(program)).toBe(60);
  });

  it("can come from a redirect link", async () => {
    const follow = async (sub: string) =>
      await fetch(`${service.url}/r/jane?key=${program.organization.publishable_key}&${sub}`, {
        redirect: "manual",
        headers: { "user-agent": BROWSER },
      });
    const response = await follow("sub=video-12");
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).not.toContain("video-12");
    for (const sub of ["sub=a%20b", "sub=&sub=b", "sub[]=a", `sub=${"x".repeat(2_000)}`]) {
      expect((await follow(sub)).status).toBe(302);
    }
    expect(await stored()).toEqual(["video-12", null, null, null, null]);
    expect(await counted()).toEqual({ "video-12": 1 });
  });
});
