/* Host names are served once a TXT record proves them, and stay closed to others when they were given up. */
import { updatePortalInput } from "@findersfee/contract/portal/settings";
import { findServedHost } from "@findersfee/database/portal/hosts";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createHostRecords, type LookAtHostRecord } from "../../src/host-record.ts";
import type { AskHost } from "../../src/portal/ask-host.ts";
import { checkHost, checkServedHosts } from "../../src/portal/check-host.ts";
import { changePortalSettings, getPortalSettings } from "../../src/portal/settings.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { makeContext } from "../subscriber.ts";
import { type NameServer, startNameServer } from "./name-server.ts";

const ADDRESS = {
  dashboard_url: "https://app.findersfee-host.com",
  public_url: "https://app.findersfee-host.com",
  service_hosts: ["api.findersfee-host.com"],
};
const DAY = 24 * 60 * 60 * 1000;

let test: TestDatabase;
let names: NameServer;
let look: LookAtHostRecord;
let acme: CreationContext;
let mallory: CreationContext;
let hosts = 0;
/** The addresses at which the service answers. */
const answering = new Set<string>();
const ask: AskHost = async (url) => answering.has(url);

beforeAll(async () => {
  test = await createTestDatabase();
  names = await startNameServer();
  look = createHostRecords([names.address]);
});
afterAll(async () => {
  await names.close();
  await test.close();
});

beforeEach(async () => {
  names.mode = "answers";
  [acme, mallory] = [await makeContext(test.database), await makeContext(test.database)];
});

function newHost(): string {
  hosts += 1;
  return `partners-${hosts}.acme.com`;
}

const want = (context: CreationContext, host: string | null) =>
  changePortalSettings(context, { host }, ADDRESS);
const check = (context: CreationContext) => checkHost(context, { ...ADDRESS, use: "portal", look, ask });
const ownerOf = async (host: string) => (await findServedHost(test.database, host))?.organization_id ?? null;
const taskOf = async (context: CreationContext) => (await listAttention(context)).portal_host;
const proofOf = async (context: CreationContext) => (await getPortalSettings(context, ADDRESS)).host_proof;

/** Writes the record that the settings ask for. */
function publish({ organization }: CreationContext, host: string): void {
  names.records.set(`_findersfee.${host}`, ["v=spf1 -all", `findersfee=${organization.id}`]);
}

async function prove(context: CreationContext, host: string): Promise<void> {
  await want(context, host);
  publish(context, host);
  await check(context);
  expect(await ownerOf(host)).toBe(context.organization.id);
}

/** Makes the job run as if time had passed. */
const checkAfter = (days: number) =>
  checkServedHosts(test.database, { ...ADDRESS, look, ask, now: new Date(Date.now() + days * DAY) });

/** Makes the release of a name as old as this. */
const age = (name: string, days: number) =>
  test.database`
    update released_names set released_at = released_at - make_interval(days => ${days}) where name = ${name}`;

describe("a wanted host name", () => {
  it("is served once its record proves it, and the settings say which record and since when", async () => {
    const host = newHost();
    const wanted = await want(acme, host);
    expect(wanted).toMatchObject({
      host,
      host_proof: {
        record: { name: `_findersfee.${host}`, value: `findersfee=${acme.organization.id}` },
        proven_at: null,
        checked_at: null,
        failure: null,
        failing_since: null,
        served_until: null,
      },
      urls: { host: null },
    });
    expect(await ownerOf(host)).toBeNull();
    expect(await check(acme)).toMatchObject({
      host_proof: { failure: "missing", proven_at: null },
      urls: { host: null },
    });
    names.records.set(`_findersfee.${host}`, [`findersfee=${mallory.organization.id}`]);
    expect(await check(acme)).toMatchObject({ host_proof: { failure: "different", proven_at: null } });
    names.mode = "fails";
    expect(await check(acme)).toMatchObject({ host_proof: { failure: "unanswered", proven_at: null } });
    expect(await ownerOf(host)).toBeNull();
    names.mode = "answers";
    publish(acme, host);
    expect(await check(acme)).toMatchObject({
      host_proof: { failure: null, proven_at: expect.any(String), checked_at: expect.any(String) },
      urls: { host: `https://${host}/portal` },
    });
    expect(await ownerOf(host)).toBe(acme.organization.id);
    const entries = await test.database`
      select actor, before, after from audit_log_entries
      where organization_id = ${acme.organization.id} and resource = 'organization' and action = 'updated' order by id`;
    expect(entries.map(({ before, after }) => ({ before, after }))).toEqual([
      { before: { portal_host: null }, after: { portal_host: host } },
      { before: { portal_host_proven: false }, after: { portal_host_proven: true } },
    ]);
  });

  it("does not keep another organization from wanting and proving it, and cannot be proven after that", async () => {
    const host = newHost();
    await want(mallory, host);
    await prove(acme, host);
    names.records.set(`_findersfee.${host}`, [
      `findersfee=${mallory.organization.id}`,
      `findersfee=${acme.organization.id}`,
    ]);
    await expect(check(mallory)).rejects.toMatchObject({
      issues: [{ path: "host", message: expect.stringContaining("Another organization has verified") }],
    });
    await expect(want(await makeContext(test.database), host)).rejects.toMatchObject({
      issues: [{ path: "host" }],
    });
    expect(await ownerOf(host)).toBe(acme.organization.id);
  });

  it("is proven by one of two organizations that ask at once", async () => {
    const host = newHost();
    for (const context of [acme, mallory]) await want(context, host);
    names.records.set(
      `_findersfee.${host}`,
      [acme, mallory].map(({ organization }) => `findersfee=${organization.id}`),
    );
    const results = await Promise.allSettled([check(acme), check(mallory)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect([acme.organization.id, mallory.organization.id]).toContain(await ownerOf(host));
  });

  it("has no result when it is changed while name servers are asked", async () => {
    const [former, host] = [newHost(), newHost()];
    await want(acme, former);
    const slow: LookAtHostRecord = async () => {
      await want(acme, host);
      return "proven";
    };
    expect(await checkHost(acme, { ...ADDRESS, use: "portal", look: slow, ask })).toMatchObject({
      host,
      host_proof: { proven_at: null, checked_at: null },
    });
    await want(acme, null);
    await expect(check(acme)).rejects.toMatchObject({ issues: [{ path: "host" }] });
  });

  it.each([
    ["api.findersfee-host.com", "the service's own"],
    ["app.findersfee-host.com", "the service's own"],
    ["metadata.google.internal", "no public domain"],
    ["findersfee.internal", "no public domain"],
    ["app.localhost", "no public domain"],
    ["printer.local", "no public domain"],
    ["router.home.arpa", "no public domain"],
    ["4.3.2.1.in-addr.arpa", "no public domain"],
    ["a.test", "no public domain"],
    ["a.example", "no public domain"],
    ["a.invalid", "no public domain"],
    ["kubernetes.default.svc", "no public domain"],
    ["vault.corp", "no public domain"],
    ["duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion", "no public domain"],
    ["co.uk", "register names below"],
    ["github.io", "register names below"],
    ["s3.amazonaws.com", "register names below"],
  ])("is never %s", async (host, reason) => {
    await expect(want(acme, host)).rejects.toMatchObject({
      issues: [{ path: "host", message: expect.stringContaining(reason) }],
    });
  });

  it.each([
    ["Bücher.Acme.com", "xn--bcher-kva.acme.com"],
    ["xn--bcher-kva.acme.com", "xn--bcher-kva.acme.com"],
    ["PARTNERS.acme.com.", "partners.acme.com"],
    ["ｐartners。acme.com", "partners.acme.com"],
  ])("is stored in ASCII: %s", (typed, stored) => {
    expect(updatePortalInput.parse({ host: typed })).toEqual({ host: stored });
  });

  it.each([
    "0x7f.1",
    "127.0.0.1",
    "2130706433",
    "[::1]",
    "acme",
    "a b.com",
    "a.com/x",
    "a.com:80",
    `${Array(4).fill("a".repeat(60)).join(".")}.com`,
  ])("cannot be typed as %s", (typed) => {
    expect(updatePortalInput.safeParse({ host: typed }).success).toBe(false);
  });
});

describe("a proven host name", () => {
  it("that loses its record warns for 7 days, is then no longer served, and comes back with a check", async () => {
    const host = newHost();
    await prove(acme, host);
    expect(await taskOf(acme)).toBeNull();
    names.records.delete(`_findersfee.${host}`);
    await checkAfter(1);
    const warned = await proofOf(acme);
    const { failing_since, served_until } = warned ?? {};
    expect(await taskOf(acme)).toEqual({ host, failing_since, served_until });
    expect(warned).toMatchObject({ failure: "missing", proven_at: expect.any(String) });
    const since = new Date(warned?.failing_since ?? 0).getTime();
    expect(new Date(warned?.served_until ?? 0).getTime() - since).toBe(7 * DAY);
    await checkAfter(7.9);
    expect(await ownerOf(host)).toBe(acme.organization.id);
    expect(await checkAfter(9)).toBe(1);
    expect(await ownerOf(host)).toBeNull();
    expect(await getPortalSettings(acme, ADDRESS)).toMatchObject({
      host,
      host_proof: { proven_at: null, failing_since: warned?.failing_since, served_until: null },
      urls: { host: null },
    });
    expect(await taskOf(acme)).toEqual({ host, failing_since, served_until: null });
    const [entry] = await test.database`
      select actor, before, after from audit_log_entries
      where organization_id = ${acme.organization.id} order by id desc limit 1`;
    expect(entry).toEqual({
      actor: "host check",
      before: { portal_host_proven: true },
      after: { portal_host_proven: false },
    });
    publish(acme, host);
    expect(await check(acme)).toMatchObject({ host_proof: { failure: null, failing_since: null } });
    expect(await taskOf(acme)).toBeNull();
    expect(await ownerOf(host)).toBe(acme.organization.id);
  });

  it("stays while name servers do not answer, and when the record is back in time", async () => {
    const host = newHost();
    await prove(acme, host);
    names.mode = "fails";
    for (const days of [1, 10, 20]) await checkAfter(days);
    expect(await proofOf(acme)).toMatchObject({ failure: "unanswered", failing_since: null });
    expect(await ownerOf(host)).toBe(acme.organization.id);
    names.mode = "answers";
    names.records.delete(`_findersfee.${host}`);
    await checkAfter(21);
    expect(await proofOf(acme)).toMatchObject({ failing_since: expect.any(String) });
    publish(acme, host);
    await checkAfter(23);
    expect(await proofOf(acme)).toMatchObject({ failure: null, failing_since: null, served_until: null });
    await checkAfter(40);
    expect(await ownerOf(host)).toBe(acme.organization.id);
  });

  it("is looked at once a day", async () => {
    const host = newHost();
    await prove(acme, host);
    const looks = () => names.asked.filter((name) => name === `_findersfee.${host}`).length;
    const before = looks();
    await checkAfter(0);
    expect(looks()).toBe(before);
    await checkAfter(1);
    await checkAfter(1);
    expect(looks()).toBe(before + 1);
  });

  it("that was given up is closed to others for 90 days, and not to its organization", async () => {
    const host = newHost();
    await want(mallory, host);
    await prove(acme, host);
    await want(acme, null);
    expect(await ownerOf(host)).toBeNull();
    publish(mallory, host);
    await expect(check(mallory)).rejects.toMatchObject({
      issues: [{ path: "host", message: expect.stringContaining("90 days") }],
    });
    await expect(want(await makeContext(test.database), host)).rejects.toMatchObject({
      issues: [{ path: "host", message: expect.stringContaining("90 days") }],
    });
    await prove(acme, host);
    await want(acme, null);
    await age(host, 89);
    publish(mallory, host);
    await expect(check(mallory)).rejects.toMatchObject({ code: "invalid_request" });
    await age(host, 2);
    await check(mallory);
    expect(await ownerOf(host)).toBe(mallory.organization.id);
    expect(await test.database`select from released_names where name = ${host}`).toEqual([]);
  });

  it("is kept by the database, whatever writes it", async () => {
    const host = newHost();
    await prove(acme, host);
    const take = (id: string) =>
      test.database`
        update organizations set portal_host_wanted = ${host}, portal_host_proven_at = now() where id = ${id}`;
    await expect(take(mallory.organization.id)).rejects.toMatchObject({
      constraint_name: "organizations_portal_host",
    });
    // The release is not committed yet when the other organization takes the name.
    let taken: Promise<unknown> = Promise.resolve();
    await test.database.begin(async (sql) => {
      await sql`update organizations set portal_host_proven_at = null where id = ${acme.organization.id}`;
      taken = take(mallory.organization.id).then(
        () => "taken",
        (error: { constraint_name?: string }) => error.constraint_name,
      );
      await expect
        .poll(
          async () =>
            (
              await test.database`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
            ).length,
        )
        .toBe(1);
    });
    expect(await taken).toBe("released_names");
    const stored = test.database`update organizations set portal_host_wanted = 'Bücher.de' where id = ${acme.organization.id}`;
    await expect(stored).rejects.toMatchObject({ constraint_name: "organizations_portal_host_ascii" });
  });

  it.each(LOST_ANSWERS)(
    "is proven with its audit entry or not at all when a call fails (%s)",
    async (kind) => {
      const host = newHost();
      await want(acme, host);
      publish(acme, host);
      await failEachCall(test.url, kind, async (database) => {
        await want(acme, null);
        await want(acme, host);
        await checkHost({ ...acme, database }, { ...ADDRESS, use: "portal", look, ask }).catch(() => null);
        const [entry] = await test.database`
        select after from audit_log_entries where organization_id = ${acme.organization.id} order by id desc limit 1`;
        expect(entry?.after.portal_host_proven === true).toBe((await ownerOf(host)) !== null);
      });
    },
  );
});

describe("a host name of links", () => {
  const wantLinks = (context: CreationContext, link_host: string | null) =>
    changePortalSettings(context, { link_host }, ADDRESS);
  const checkLinks = (context: CreationContext, asks: AskHost = ask) =>
    checkHost(context, { ...ADDRESS, use: "link", look, ask: asks });
  const linksOf = async (context: CreationContext) => (await getPortalSettings(context, ADDRESS)).urls.links;

  async function proveLinks(context: CreationContext, host: string): Promise<void> {
    await wantLinks(context, host);
    publish(context, host);
    answering.add(`https://${host}`);
    expect(await checkLinks(context)).toMatchObject({ urls: { links: `https://${host}` } });
  }

  it("has links once its record proves it and the service has answered there, not before", async () => {
    const host = newHost();
    expect(await wantLinks(acme, host)).toMatchObject({
      link_host: host,
      link_host_proof: { record: { name: `_findersfee.${host}` }, proven_at: null },
      urls: { links: null },
    });
    answering.add(`https://${host}`);
    expect(await checkLinks(acme)).toMatchObject({
      link_host_proof: { failure: "missing" },
      urls: { links: null },
    });
    answering.delete(`https://${host}`);
    publish(acme, host);
    // It is served, so that the service can answer, and the links of affiliates do not lead there yet.
    expect(await checkLinks(acme)).toMatchObject({
      link_host_proof: { proven_at: expect.any(String) },
      urls: { links: null },
    });
    expect(await findServedHost(test.database, host)).toMatchObject({ use: "link" });
    await proveLinks(acme, host);
    const entries = await test.database`
      select before, after from audit_log_entries
      where organization_id = ${acme.organization.id} and resource = 'organization' and action = 'updated' order by id`;
    expect([...entries]).toEqual([
      { before: { link_host: null }, after: { link_host: host } },
      { before: { link_host_proven: false }, after: { link_host_proven: true } },
      { before: { link_url: null }, after: { link_url: `https://${host}` } },
    ]);
  });

  it("is asked for when it is served already, and never without a proof", async () => {
    const host = newHost();
    await wantLinks(acme, host);
    const asked: unknown[] = [];
    const asks: AskHost = async (url, id) => {
      asked.push([url, id, (await findServedHost(test.database, host))?.organization_id]);
      return true;
    };
    await checkLinks(acme, asks);
    expect(asked).toEqual([]);
    publish(acme, host);
    await checkLinks(acme, asks);
    expect(asked).toEqual([[`https://${host}`, acme.organization.id, acme.organization.id]]);
    await checkHost(acme, {
      ...ADDRESS,
      use: "link",
      look,
      ask: asks,
      public_url: "https://app.findersfee.net:8443",
    });
    expect(await linksOf(acme)).toBe(`https://${host}:8443`);
  });

  it("loses its links when it does not answer, when it loses its record, and when another one is stored", async () => {
    const host = newHost();
    await proveLinks(acme, host);
    answering.delete(`https://${host}`);
    await checkAfter(1);
    expect(await linksOf(acme)).toBeNull();
    answering.add(`https://${host}`);
    await checkAfter(2);
    expect(await linksOf(acme)).toBe(`https://${host}`);
    names.records.delete(`_findersfee.${host}`);
    await checkAfter(3);
    // Published links still work, and new ones lead to the website.
    expect(await ownerOf(host)).toBe(acme.organization.id);
    expect(await linksOf(acme)).toBeNull();
    const { failing_since, served_until } = (await getPortalSettings(acme, ADDRESS)).link_host_proof ?? {};
    expect((await listAttention(acme)).link_host).toEqual({ host, failing_since, served_until });
    expect(await checkAfter(11)).toBe(1);
    expect(await ownerOf(host)).toBeNull();
    await proveLinks(acme, host);
    expect((await listAttention(acme)).link_host).toBeNull();
    await wantLinks(acme, newHost());
    expect(await linksOf(acme)).toBeNull();
    expect(await ownerOf(host)).toBeNull();
  });

  it("belongs to one organization and one use", async () => {
    const host = newHost();
    await prove(acme, host);
    await expect(wantLinks(acme, host)).rejects.toMatchObject({ issues: [{ path: "link_host" }] });
    await expect(wantLinks(mallory, host)).rejects.toMatchObject({
      issues: [{ path: "link_host", message: expect.stringContaining("Another organization has verified") }],
    });
    const links = newHost();
    await wantLinks(mallory, links);
    await proveLinks(acme, links);
    names.records.set(`_findersfee.${links}`, [`findersfee=${mallory.organization.id}`]);
    await expect(checkLinks(mallory)).rejects.toMatchObject({ issues: [{ path: "link_host" }] });
    await expect(want(mallory, links)).rejects.toMatchObject({ issues: [{ path: "host" }] });
    await expect(want(acme, links)).rejects.toMatchObject({ issues: [{ path: "host" }] });
    for (const refused of ["api.findersfee-host.com", "github.io", "router.home.arpa"]) {
      await expect(wantLinks(acme, refused), refused).rejects.toMatchObject({
        issues: [{ path: "link_host" }],
      });
    }
    await expect(checkLinks(await makeContext(test.database))).rejects.toMatchObject({
      issues: [{ path: "link_host" }],
    });
  });

  it("is kept by the database across uses, whichever of two organizations is first", async () => {
    const host = newHost();
    const take = (id: string, use: "portal" | "link") =>
      use === "portal"
        ? test.database`
            update organizations set portal_host_wanted = ${host}, portal_host_proven_at = now() where id = ${id}`
        : test.database`
            update organizations set link_host_wanted = ${host}, link_host_proven_at = now() where id = ${id}`;
    const results = await Promise.allSettled([
      take(acme.organization.id, "portal"),
      take(mallory.organization.id, "link"),
    ]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { constraint_name: "organizations_served_host" },
    });
    const both = test.database`
      update organizations set portal_host_wanted = 'x.acme.com', link_host_wanted = 'x.acme.com'
      where id = ${acme.organization.id}`;
    await expect(both).rejects.toMatchObject({ constraint_name: "organizations_own_hosts" });
  });

  it("that was given up is closed to others, for both uses", async () => {
    const host = newHost();
    await proveLinks(acme, host);
    // Its organization may use it for something else.
    await changePortalSettings(acme, { link_host: null, host }, ADDRESS);
    await check(acme);
    expect(await test.database`select from released_names where name = ${host}`).toEqual([]);
    await want(acme, null);
    await expect(wantLinks(mallory, host)).rejects.toMatchObject({
      issues: [{ path: "link_host", message: expect.stringContaining("90 days") }],
    });
  });

  it.each(LOST_ANSWERS)(
    "is proven with its audit entry or not at all when a call fails (%s)",
    async (kind) => {
      const host = newHost();
      publish(acme, host);
      answering.add(`https://${host}`);
      await failEachCall(test.url, kind, async (database) => {
        await wantLinks(acme, null);
        await wantLinks(acme, host);
        await checkHost({ ...acme, database }, { ...ADDRESS, use: "link", look, ask }).catch(() => null);
        const [row] = await test.database`
        select link_url, link_host is not null as is_served from organizations where id = ${acme.organization.id}`;
        const after = await test.database<{ after: Record<string, unknown> }[]>`
        select after from audit_log_entries where organization_id = ${acme.organization.id} order by id desc limit 2`;
        const names = after.flatMap((entry) => Object.keys(entry.after));
        expect([names.includes("link_host_proven"), names.includes("link_url")]).toEqual([
          row?.is_served,
          row?.link_url !== null,
        ]);
      });
    },
  );
});

it("gives up on name servers that are silent", async () => {
  names.mode = "silent";
  await want(acme, newHost());
  expect(await check(acme)).toMatchObject({ host_proof: { failure: "unanswered" } });
}, 30_000);
