/* The public look of an organization's portal. */
import { PICTURES } from "@findersfee/domain/testing/portal/pictures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAMPAIGN } from "../program.ts";
import { type StaffClient, sharedTestService, type TestClient, type TestService } from "../test-service.ts";
import { openPortal, portalOf } from "./affiliate-browser.ts";

let service: TestService;
let organization: TestClient;
let staff: StaffClient;

beforeAll(async () => {
  service = await sharedTestService();
  organization = await service.organization();
  staff = await service.staff(organization.organization_id, "admin");
});
afterAll(() => service.close());

async function getLook(slug: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${service.url}/portal/look?organization=${encodeURIComponent(slug)}`);
  return { status: response.status, body: await response.json() };
}

async function slugOf(organization_id: string): Promise<string> {
  const [row] = await service.database<[{ slug: string }]>`
    select slug from organizations where id = ${organization_id}`;
  return row.slug;
}

describe("the look of a portal", () => {
  it("is shown to everybody, and to its affiliates", async () => {
    const { portal } = staff.trpc.dashboard;
    const { look } = await portal.update.mutate({ brand_color: "#ffee00", languages: ["de", "en"] });
    const { organization_id, trpc } = organization;
    const slug = await slugOf(organization_id);
    expect(await getLook(slug)).toEqual({
      status: 200,
      body: { success: true, data: { organization_id, slug, has_programs: false, look } },
    });
    await trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    const jane = await trpc.affiliates.create.mutate({ email: "jane@example.com" });
    const browser = await openPortal(service, jane.email);
    const program = await portalOf(service, browser, jane.id).program.get.query();
    expect(program.organization).toEqual({ ...look, currency: "USD" });
  });

  it("is not found for test data, and for addresses that no organization has", async () => {
    const tests = await service.organization();
    const slug = await slugOf(tests.organization_id);
    await service.database`
      update organizations set test_of = ${organization.organization_id} where id = ${tests.organization_id}`;
    for (const name of [slug, "nobody", "", "../x", "\u0000", "A".repeat(5_000), "' or true"]) {
      expect((await getLook(name)).status, name).toBe(404);
    }
    expect((await fetch(`${service.url}/portal/look`)).status).toBe(404);
    expect((await fetch(`${service.url}/portal/look?organization=a&organization=b`)).status).toBe(404);
  });
});

describe("a logo", () => {
  it("is served at an address that never changes, as a picture that can do nothing else", async () => {
    const { look } = await staff.trpc.dashboard.portal.set_logo.mutate({ content: PICTURES.jpeg });
    const address = `${service.url}/${look.logo?.path}`;
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await response.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    const other = await service.organization();
    const [hash = ""] = address.split("/").slice(-1);
    for (const path of [
      `${other.organization_id}/${hash}`,
      `${organization.organization_id}/${hash}0`,
      `x/${hash}`,
    ]) {
      expect((await fetch(`${service.url}/portal/logo/${path}`)).status, path).toBe(404);
    }
  });

  it("is refused if it is too large or no picture, with the reason", async () => {
    const { set_logo } = staff.trpc.dashboard.portal;
    const codeAndIssues = async (content: string) => {
      const error = await set_logo.mutate({ content }).then(
        () => null,
        (refused) => refused.data,
      );
      return [error?.code, error?.issues?.[0]?.path];
    };
    const html = Buffer.from("<script>alert(1)</script>").toString("base64");
    expect(await codeAndIssues(html)).toEqual(["invalid_request", "content"]);
    expect(await codeAndIssues("%%%")).toEqual(["invalid_request", "content"]);
    expect(await codeAndIssues("A".repeat(180_000))).toEqual(["invalid_request", "content"]);
    expect(await codeAndIssues("A".repeat(300_000))).toEqual(["payload_too_large", undefined]);
  });
});
