import { HostBrowser } from "@findersfee/api/testing/portal/host-browser";
import type { TestService } from "@findersfee/api/testing/test-service";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { PICTURES } from "@findersfee/domain/testing/portal/pictures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addOrganization, startPortal } from "./portal.ts";

let service: TestService;
let prefixed: TestService;

beforeAll(async () => {
  service = await startPortal();
  prefixed = await startPortal({ public_url: "https://example.com/affiliates" });
});

afterAll(async () => {
  await service?.close();
  await prefixed?.close();
});

const BROWSER = { accept: "text/html,application/xhtml+xml" };

async function get(path: string, headers: Record<string, string> = BROWSER, url = service.url) {
  const response = await fetch(`${url}${path}`, { headers, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

it.each(["/portal", "/portal/sign-in", "/portal/sign-in/confirm", "/portal/acme", "/portal/a/b/c"])(
  "has its page at %s, without inline code and frames",
  async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(text).toContain('<base href="/portal/" />');
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
  },
);

it("names the path of PUBLIC_URL", async () => {
  const { text } = await get("/portal/sign-in", BROWSER, prefixed.url);
  expect(text).toContain('<base href="/affiliates/portal/" />');
});

it("has no path before it at an organization's host name", async () => {
  const host = "partners.acme.example";
  const { organization_id } = await prefixed.organization();
  const [row] = await prefixed.database<[{ slug: string }]>`
    update organizations set portal_host_wanted = ${host}, portal_host_proven_at = now()
    where id = ${organization_id} returning slug`;
  const browser = new HostBrowser(prefixed);
  for (const path of ["/portal/sign-in", `/portal/embed/${row.slug}`]) {
    const { text } = await browser.send(host, path, { headers: BROWSER });
    expect(text).toContain('<base href="/portal/" />');
  }
  // Other organizations have no frame there.
  const other = await addOrganization(prefixed, "Globex");
  const [{ slug }] = await prefixed.database<[{ slug: string }]>`
    select slug from organizations where id = ${other.organization_id}`;
  expect((await browser.send(host, `/portal/embed/${slug}`, { headers: BROWSER })).status).toBe(404);
  expect((await get(`/portal/embed/${slug}`, BROWSER, prefixed.url)).status).toBe(200);
});

describe("a former name of an organization", () => {
  const ROOT = "partners.former.example";

  async function rename(of: TestService) {
    const { organization_id } = await addOrganization(of, "Former");
    const { organization } = (await of.staff(organization_id)).trpc.dashboard;
    const [former, slug] = ["former-name", "present-name"];
    await organization.update.mutate({ slug: former });
    const [{ id }] = await of.database<[{ id: string }]>`
      update campaigns set joining = 'listed' where organization_id = ${organization_id} returning id`;
    await organization.update.mutate({ slug });
    return { organization_id, campaign_id: id, former, slug };
  }

  it("leads to the present one: portal, joining, frames and their requests", async () => {
    const { former, slug, campaign_id } = await rename(service);
    for (const after of ["", "?lang=de", `/${campaign_id}/join`]) {
      const { status, headers } = await get(`/portal/${former}${after}`);
      expect([status, headers.get("location")]).toEqual([302, `/portal/${slug}${after}`]);
    }
    for (const after of ["", "/", "/earnings?theme=dark"]) {
      const { status, headers } = await get(`/portal/embed/${former}${after}`);
      expect([status, headers.get("location")]).toEqual([302, `/portal/embed/${slug}${after}`]);
    }
    expect((await get(`/portal/${slug}`)).status).toBe(200);
    for (const path of [
      `/portal/look?organization=${former}`,
      `/portal/auth/programs/${former}`,
      `/portal/auth/programs/${former}/${campaign_id}`,
    ]) {
      const { data } = JSON.parse((await get(path)).text);
      expect(data.slug ?? data.organization.slug, path).toBe(slug);
    }
  });

  it("leads there below the path of PUBLIC_URL, and at the organization's host", async () => {
    const { former, slug, organization_id } = await rename(prefixed);
    const { headers } = await get(`/portal/${former}`, BROWSER, prefixed.url);
    expect(headers.get("location")).toBe(`/affiliates/portal/${slug}`);
    await prefixed.database`
      update organizations set portal_host_wanted = ${ROOT}, portal_host_proven_at = now()
      where id = ${organization_id}`;
    const browser = new HostBrowser(prefixed);
    for (const path of ["", "embed/"]) {
      const answer = await browser.send(ROOT, `/portal/${path}${former}`, { headers: BROWSER });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, `/portal/${path}${slug}`]);
    }
    expect((await browser.send(ROOT, `/portal/look?organization=${former}`)).body.data.slug).toBe(slug);
  });

  it("is closed to others for 90 days, and not to the organization", async () => {
    const { organization_id, former, slug } = await rename(await freshPortal());
    const other = await addOrganization(service, "Other");
    const update = (id: string) => async (name: string) =>
      await (await service.staff(id)).trpc.dashboard.organization.update.mutate({ slug: name });
    const [take, rename_back] = [update(other.organization_id), update(organization_id)];
    await expect(take(former)).rejects.toMatchObject({
      data: { issues: [{ path: "slug", message: expect.stringContaining("90 days") }] },
    });
    for (const reserved of ["admin", "api", "www", "portal", "embed"]) {
      await expect(take(reserved), reserved).rejects.toMatchObject({ data: { issues: [{ path: "slug" }] } });
    }
    const created = await createOrganization(service.database, {
      name: "Former name",
      currency: "USD",
      subscription_status: "active",
    });
    expect(await slugOf(created.organization_id)).toMatch(/^former-name-\d{6}$/);
    await rename_back(former);
    await rename_back(slug);
    await service.database`
      update released_names set released_at = released_at - interval '91 days' where name = ${former}`;
    await take(former);
    expect(await slugOf(other.organization_id)).toBe(former);
    await expect.poll(async () => (await get(`/portal/${former}`)).status).toBe(200);
  });

  const slugOf = async (id: string) => {
    const [row] = await service.database<[{ slug: string }]>`select slug from organizations where id = ${id}`;
    return row.slug;
  };
  // The first test's organization still has these names; the next one begins with others.
  const freshPortal = async () => {
    await service.database`update organizations set slug = 'first-' || slug where slug like '%-name'`;
    await service.database`delete from released_names`;
    return service;
  };
});

describe("the head of an organization's pages, for tabs and previews of links", () => {
  const metaOf = (text: string, name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(text)?.[1];

  /** An organization with two pages that strangers may find. */
  async function open(of: TestService, name: string, joining = "listed") {
    const { organization_id } = await addOrganization(of, name);
    const [{ id }] = await of.database<[{ id: string }]>`
      update campaigns set joining = ${joining} where organization_id = ${organization_id} returning id`;
    const [{ slug }] = await of.database<[{ slug: string }]>`
      select slug from organizations where id = ${organization_id}`;
    return { organization_id, slug, pages: [`/portal/${slug}`, `/portal/${slug}/${id}/join`] };
  }

  it.each(["*/*", "application/json", "", "text/html"])(
    "is sent whatever a client accepts: %s",
    async (accept) => {
      const { slug, pages } = await open(service, 'Müller & "Söhne" <b>');
      const headers: Record<string, string> = accept === "" ? {} : { accept };
      for (const page of pages) {
        const { status, text } = await get(page, headers);
        expect(status).toBe(200);
        expect(text).toContain("<title>Müller &amp; &quot;Söhne&quot; &lt;b&gt; affiliate program</title>");
        expect(metaOf(text, "og:site_name")).toBe("Müller &amp; &quot;Söhne&quot; &lt;b&gt;");
        expect(metaOf(text, "og:url")).toBe(`${service.url}${page}`);
        expect(metaOf(text, "description")).toContain("earn a commission");
        expect(text).not.toContain("Findersfee");
        expect(text).not.toContain("noindex");
        expect(text).toContain(`href="${service.url}/portal/look/icon.svg?organization=${slug}"`);
      }
      expect((await get("/portal/sign-in", headers)).status).toBe(200);
    },
  );

  it("keeps pages of affiliates, and programs that are not listed, out of search engines", async () => {
    const { slug } = await open(service, "Listed");
    expect((await get(`/portal/${slug}/earnings/x`)).text).toContain("noindex");
    const unlisted = await open(service, "Unlisted", "by_link");
    for (const page of unlisted.pages) expect((await get(page)).text).toContain("noindex");
  });

  it("is the organization's on each page of its host name, in its language", async () => {
    const host = "partners.head.example";
    const { organization_id, slug } = await open(prefixed, "Kopf");
    await prefixed.database`
      update organizations set portal_host_wanted = ${host}, portal_host_proven_at = now(), languages = '{de}'
      where id = ${organization_id}`;
    const browser = new HostBrowser(prefixed);
    for (const path of ["/portal", "/portal/sign-in", `/portal/${slug}`]) {
      const { text } = await browser.send(host, path, { headers: { accept: "*/*" } });
      expect(text).toContain("<title>Partnerprogramm von Kopf</title>");
      expect(metaOf(text, "og:url")).toBe(`https://${host}${path}`);
      expect(text).toContain(`href="https://${host}/portal/look/icon.svg"`);
      expect(text).not.toContain("Findersfee");
    }
    const icon = await browser.send(host, "/portal/look/icon.svg");
    expect(icon.headers.get("content-type")).toBe("image/svg+xml");
    expect(icon.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(icon.text).toContain(">K</text>");
  });

  it("has a square logo as its icon, and any logo in previews", async () => {
    const { organization_id, slug, pages } = await open(service, "Square");
    const staff = await service.staff(organization_id);
    const { look } = await staff.trpc.dashboard.portal.set_logo.mutate({ content: PICTURES.jpeg });
    await service.database`
      update portal_logos set width = 64, height = 64 where organization_id = ${organization_id}`;
    const logo = `${service.url}/${look.logo?.path}`;
    // Looks are cached for five seconds.
    await expect.poll(async () => metaOf((await get(pages[0] ?? "")).text, "og:image")).toBe(logo);
    expect((await get(`/portal/${slug}`)).text).toContain(`<link rel="icon" href="${logo}"`);
  });
});

describe("the page for frames", () => {
  it("can be framed by the organization's origins alone", async () => {
    const acme = await addOrganization(service, "Acme");
    const [row] = await service.database<[{ slug: string }]>`
      select slug from organizations where id = ${acme.organization_id}`;
    const path = `/portal/embed/${row.slug}`;
    const before = await get(path);
    expect(before.status).toBe(200);
    expect(before.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const frame_origins = ["https://app.acme.example", "http://localhost:4000"];
    const staff = await service.staff(acme.organization_id);
    await staff.trpc.dashboard.portal.update.mutate({ frame_origins });
    // Origins are cached for five seconds.
    await expect
      .poll(async () => (await get(path)).headers.get("content-security-policy"))
      .toContain(`frame-ancestors ${frame_origins.join(" ")}`);
    for (const address of [path, `${path}/`, `${path}/earnings?theme=dark&lang=de`]) {
      const { headers, text } = await get(address);
      expect(headers.get("x-frame-options")).toBeNull();
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(text).toContain('<base href="/portal/" />');
      expect(text).toContain(`<meta name="frame-origins" content="${frame_origins.join(" ")}" />`);
      expect(text.includes('<html lang="en" class="dark">')).toBe(address.includes("dark"));
    }
    // All other pages stay as they are.
    const { headers } = await get(`/portal/${row.slug}`);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  it.each(["nobody", "A", "%00", "..%2fx", "a".repeat(5_000)])("does not exist for %s", async (name) => {
    const { status, text } = await get(`/portal/embed/${name}`);
    expect([400, 404, 414]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ error: expect.anything() });
  });
});

it("serves its assets", async () => {
  const { text } = await get("/portal");
  const path = /src="\.(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? "";
  const { status, headers } = await get(`/portal${path}`, { "accept-encoding": "gzip" });
  expect([status, headers.get("content-encoding")]).toEqual([200, "gzip"]);
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

it.each([
  // Operations ask for a session first.
  ["/portal/trpc/nothing", 401],
  ["/portal/auth", 404],
  ["/portal/auth/nothing", 404],
  ["/portal/auth/code", 405],
  ["/portal/assets/nothing.js", 404],
  ["/portal/assets/a/b", 404],
])("answers %s with an error, to browsers too", async (path, expected) => {
  const { status, text } = await get(path);
  expect(JSON.parse(text)).toMatchObject({ error: expect.anything() });
  expect(status).toBe(expected);
});

it("answers programs with an error at addresses that may not exist", async () => {
  const { status, text } = await get("/portal/acme", { accept: "application/json" });
  expect([status, JSON.parse(text).error.code]).toEqual([404, "not_found"]);
});
