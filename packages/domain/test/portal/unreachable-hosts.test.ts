/* The service asks for itself at custom domains, by TLS, and says since when it does not answer there. */
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { freePort } from "@findersfee/database/testing/free-port";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createHostRecords } from "../../src/host-record.ts";
import { createAskHost } from "../../src/portal/ask-host.ts";
import { checkHost, checkServedHosts, type HostChecks } from "../../src/portal/check-host.ts";
import { getPortalSettings, type ServiceAddress } from "../../src/portal/settings.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { NameServer as AddressServer } from "../identity/address-server.ts";
import { readCertificate } from "../identity/certificates.ts";
import { makeContext } from "../subscriber.ts";
import { type NameServer, startNameServer } from "./name-server.ts";

/** The name of a certificate of the tests. */
const HOST = "other.example";
const HOUR = 60 * 60 * 1000;
const START = Date.parse("2026-11-20T09:30:00.000Z");

let test: TestDatabase;
let records: NameServer;
let acme: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase();
  records = await startNameServer();
});
afterAll(async () => {
  await records.close();
  await test.close();
});
beforeEach(async () => {
  await test.database`update organizations set portal_host_wanted = null, portal_host_proven_at = null,
    portal_host_checked_at = null, link_host_wanted = null, link_host_proven_at = null, link_host_checked_at = null,
    link_url = null`;
  await test.database`delete from released_names`;
  acme = await makeContext(test.database);
  records.records.set(`_findersfee.${HOST}`, [`findersfee=${acme.organization.id}`]);
});

/** The service behind a proxy that has this certificate for the name. */
async function serve(
  certificate: "wrong-host" | "valid",
  port?: number,
): Promise<{ port: number; paths: string[]; close: () => Promise<void> }> {
  const paths: string[] = [];
  const tls = { key: readCertificate("server.key"), cert: readCertificate(`${certificate}.pem`) };
  const server: Server = createServer(tls, (request, response) => {
    paths.push(`${request.headers.host?.split(":")[0]}${request.url}`);
    response.end(JSON.stringify({ success: true, data: { organization_id: acme.organization.id } }));
  });
  server.listen(port ?? (await freePort()), "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, paths, close };
}

async function checksAt(port: number): Promise<ServiceAddress & HostChecks> {
  const addresses = await AddressServer.start((name) => (name === HOST ? ["127.0.0.1"] : null));
  onTestFinished(() => addresses.close());
  const trust = { name_servers: [addresses.address], ca: readCertificate("ca.pem") };
  return {
    dashboard_url: "https://app.findersfee-host.com",
    public_url: `https://app.findersfee-host.com:${port}`,
    service_hosts: [],
    look: createHostRecords([records.address]),
    ask: createAskHost({ allow_http: false, allow_private: true }, trust),
  };
}

const checkAfter = (hours: number, checks: HostChecks) =>
  checkServedHosts(test.database, { ...checks, now: new Date(START + hours * HOUR) });

const prove = (use: "portal" | "link") =>
  use === "portal"
    ? test.database`update organizations set portal_host_wanted = ${HOST}, portal_host_proven_at = now()
        where id = ${acme.organization.id}`
    : test.database`update organizations set link_host_wanted = ${HOST}, link_host_proven_at = now()
        where id = ${acme.organization.id}`;

it.each([
  { use: "link" as const, path: `${HOST}/track/host`, proof: "link_host_proof" as const },
  { use: "portal" as const, path: `${HOST}/portal/look`, proof: "host_proof" as const },
])(
  "says since when a custom domain for the $use has not answered, until it does",
  async ({ use, path, proof }) => {
    await prove(use);
    const first = await serve("wrong-host");
    const checks = await checksAt(first.port);
    const since = async () => (await getPortalSettings(acme, checks))[proof]?.unreachable_since;
    const needs = async () => (await listAttention(acme)).unreachable_hosts;
    await checkAfter(0, checks);
    expect(first.paths).toEqual([path]);
    expect([await since(), await needs()]).toEqual([null, []]);
    await first.close();
    await checkAfter(24, checks);
    const stopped = new Date(START + 24 * HOUR).toISOString();
    expect(await since()).toBe(stopped);
    expect(await needs()).toEqual([{ use, host: HOST, since: stopped }]);

    // It is asked again each hour, and a proxy without the name's certificate is no answer.
    const other = await serve("valid", first.port);
    await checkAfter(25, checks);
    expect(await since()).toBe(stopped);
    expect(other.paths).toEqual([]);
    await other.close();
    const again = await serve("wrong-host", first.port);
    await checkAfter(25.5, checks);
    expect(again.paths).toEqual([]);
    await checkAfter(26, checks);
    expect(again.paths).toEqual([path]);
    expect([await since(), await needs()]).toEqual([null, []]);
  },
);

it.each(["link", "portal"] as const)("of the %s answers again after “Check now”", async (use) => {
  await prove(use);
  const first = await serve("wrong-host");
  const checks = await checksAt(first.port);
  await checkAfter(0, checks);
  await first.close();
  await checkAfter(24, checks);
  expect(await checkHost(acme, { ...checks, use })).toMatchObject({
    [use === "link" ? "link_host_proof" : "host_proof"]: {
      unreachable_since: new Date(START + 24 * HOUR).toISOString(),
    },
  });
  const again = await serve("wrong-host", first.port);
  await checkHost(acme, { ...checks, use });
  expect(again.paths).toHaveLength(1);
  expect((await listAttention(acme)).unreachable_hosts).toEqual([]);
});

it("does not say that a custom domain which never answered has stopped", async () => {
  await prove("link");
  const { port, close } = await serve("wrong-host");
  await close();
  const checks = await checksAt(port);
  await checkAfter(0, checks);
  await checkAfter(24, checks);
  expect(await getPortalSettings(acme, checks)).toMatchObject({
    link_host_proof: { proven_at: expect.any(String), unreachable_since: null },
    urls: { links: null },
  });
  expect((await listAttention(acme)).unreachable_hosts).toEqual([]);
});

it("says that the record is gone, and nothing else, where both are wrong", async () => {
  await prove("portal");
  const first = await serve("wrong-host");
  const checks = await checksAt(first.port);
  await checkAfter(0, checks);
  await first.close();
  await checkAfter(24, checks);
  records.records.delete(`_findersfee.${HOST}`);
  await checkAfter(25, checks);
  expect(await listAttention(acme)).toMatchObject({ portal_host: { host: HOST }, unreachable_hosts: [] });
});
