/* The look and the addresses of an organization's portal. */
import { updatePortalInput } from "@findersfee/contract/portal/settings";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { getPublicLook } from "../../src/portal/look.ts";
import { changePortalSettings, getPortalSettings, removeLogo, setLogo } from "../../src/portal/settings.ts";
import { makeContext } from "../subscriber.ts";
import { PICTURES } from "./pictures.ts";

const ADDRESS = {
  dashboard_url: "https://app.example.com",
  public_url: "https://app.example.com",
  service_hosts: [],
};

const PAGES = ["terms_url", "imprint_url", "privacy_url"] as const;

const NO_PAGES = { terms_url: null, imprint_url: null, privacy_url: null };

const REFUSED_ADDRESSES = [
  "http://example.com",
  "javascript:alert(1)",
  "https://a:b@example.com",
  "data:text/html,x",
  "https://",
];

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
});

async function audited() {
  return await test.database`
    select action, before, after from audit_log_entries
    where organization_id = ${context.organization.id} and resource = 'organization' and action = 'updated'
    order by id`;
}

const change = (input: Parameters<typeof changePortalSettings>[1]) =>
  changePortalSettings(context, input, ADDRESS);

describe("the portal's settings", () => {
  it("begin without a logo and a color, in both languages", async () => {
    const settings = await getPortalSettings(context, ADDRESS);
    expect(settings).toMatchObject({
      look: { logo: null, brand_color: null, ...NO_PAGES, languages: ["en", "de"] },
      host: null,
      frame_origins: [],
      urls: {
        service: expect.stringMatching(/^https:\/\/app\.example\.com\/portal\/[a-z0-9-]+$/),
        host: null,
      },
    });
  });

  it("change field by field, and each change is in the audit log", async () => {
    const host = `partners-${context.organization.id}.example.com`;
    await change({ brand_color: "#0b6b53", languages: ["de", "en"] });
    const changed = await change({ terms_url: "https://example.com/terms", host });
    expect(changed).toMatchObject({
      look: { brand_color: "#0b6b53", terms_url: "https://example.com/terms", languages: ["de", "en"] },
      host,
      urls: { host: null },
    });
    const pages = { imprint_url: "https://example.com/imprint", privacy_url: "https://example.com/privacy" };
    expect((await change(pages)).look).toMatchObject({ terms_url: "https://example.com/terms", ...pages });
    expect(await change({ host: null, brand_color: null })).toMatchObject({ host: null });
    await change({});
    expect(await audited()).toEqual([
      {
        action: "updated",
        before: { brand_color: null, languages: ["en", "de"] },
        after: { brand_color: "#0b6b53", languages: ["de", "en"] },
      },
      {
        action: "updated",
        before: { terms_url: null, portal_host: null },
        after: { terms_url: "https://example.com/terms", portal_host: host },
      },
      { action: "updated", before: { imprint_url: null, privacy_url: null }, after: pages },
      {
        action: "updated",
        before: { brand_color: "#0b6b53", portal_host: host },
        after: { brand_color: null, portal_host: null },
      },
    ]);
  });

  it("refuse a host name of the service, and any without a public address", async () => {
    const refused = (host: string, public_url: string | null) =>
      changePortalSettings(context, { host, brand_color: "#ffffff" }, { ...ADDRESS, public_url });
    await expect(refused("app.example.com", ADDRESS.public_url)).rejects.toMatchObject({
      issues: [{ path: "host" }],
    });
    await expect(refused("x.example.com", null)).rejects.toMatchObject({
      issues: [{ path: "host", message: expect.stringContaining("PUBLIC_URL") }],
    });
    expect((await getPortalSettings(context, ADDRESS)).look.brand_color).toBeNull();
  });

  it.each([
    ["brand_color", ["red", "#fff", "#12345g", "#0b6b53;", "url(//x)"], ["#0B6B53", null]],
    ...PAGES.map((name): [string, unknown[], unknown[]] => [
      name,
      REFUSED_ADDRESSES,
      ["https://example.com/a?b#c", null],
    ]),
    ["languages", [[], ["fr"], ["en", "en"]], [["en"], ["de", "en"]]],
    [
      "host",
      [
        "localhost",
        "127.0.0.1",
        "1.2.3.4",
        "a.example.com:8080",
        "https://a.example.com",
        "-a.example.com",
        "a..b",
      ],
      ["partners.example.com", "Partners.Example.com", "xn--bcher-kva.example", null],
    ],
    [
      "frame_origins",
      [
        ["http://example.com"],
        ["https://example.com/"],
        ["https://example.com/app"],
        ["https://*.example.com"],
        ["*"],
        ["https://example.com; script-src *"],
        ["https://a.example", "https://a.example"],
        ["null"],
        ["data:"],
        Array.from({ length: 11 }, (_, number) => `https://${number}.example.com`),
      ],
      [[], ["https://app.example.com", "http://localhost:5173", "https://app.example.com:8443"]],
    ],
  ])("check %s", (field, wrong, right) => {
    for (const value of wrong) {
      expect(updatePortalInput.safeParse({ [field]: value }).success, JSON.stringify(value)).toBe(false);
    }
    for (const value of right) {
      expect(updatePortalInput.safeParse({ [field]: value }).success, JSON.stringify(value)).toBe(true);
    }
  });
});

describe("a logo", () => {
  it("is stored once per organization, and audited by its hash", async () => {
    const { look } = await setLogo(context, { content: PICTURES.png }, ADDRESS);
    const path = new RegExp(`^portal/logo/${context.organization.id}/[0-9a-f]{64}$`);
    expect(look.logo).toEqual({ path: expect.stringMatching(path), width: 12, height: 6 });
    await setLogo(context, { content: PICTURES.png }, ADDRESS);
    const replaced = await setLogo(context, { content: PICTURES.jpeg }, ADDRESS);
    expect(replaced.look.logo?.path).not.toBe(look.logo?.path);
    expect(await removeLogo(context, ADDRESS)).toMatchObject({ look: { logo: null } });
    const hashOf = (logo: { path: string } | null | undefined) => logo?.path.split("/").at(-1);
    expect(await audited()).toEqual([
      { action: "updated", before: { logo: null }, after: { logo: hashOf(look.logo) } },
      {
        action: "updated",
        before: { logo: hashOf(look.logo) },
        after: { logo: hashOf(replaced.look.logo) },
      },
      { action: "updated", before: { logo: hashOf(replaced.look.logo) }, after: { logo: null } },
    ]);
  });

  it("is refused with the reason", async () => {
    const svg = Buffer.from("<svg/>").toString("base64");
    await expect(setLogo(context, { content: svg }, ADDRESS)).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "content", message: expect.stringContaining("SVG") }],
    });
  });

  it.each(LOST_ANSWERS)(
    "is replaced with its audit entry or not at all when a call fails (%s)",
    async (kind) => {
      const contents = [PICTURES.png, PICTURES.jpeg];
      await failEachCall(test.url, kind, async (database, number) => {
        const content = contents[number % contents.length] ?? PICTURES.png;
        await setLogo({ ...context, database }, { content }, ADDRESS).catch(() => null);
        const { look } = await getPortalSettings(context, ADDRESS);
        const last = (await audited()).at(-1)?.after.logo ?? null;
        expect(look.logo?.path.split("/").at(-1) ?? null).toBe(last);
      });
    },
  );
});

it("shows everybody the look, by the name in the address", async () => {
  await change({ brand_color: "#aabbcc" });
  const { id: organization_id } = context.organization;
  const [row] = await test.database<
    [{ slug: string }]
  >`select slug from organizations where id = ${organization_id}`;
  expect(await getPublicLook(test.database, row.slug)).toMatchObject({
    organization_id,
    has_programs: false,
    look: { brand_color: "#aabbcc" },
  });
  await expect(getPublicLook(test.database, "nobody")).rejects.toMatchObject({ code: "not_found" });
});
