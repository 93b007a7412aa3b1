import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { callProblem } from "../../src/identity/single-sign-on/call-problem.ts";
import { discover, failureOf } from "../../src/identity/single-sign-on/provider.ts";
import { createProviderFetch, type ProviderTrust } from "../../src/identity/single-sign-on/provider-fetch.ts";
import { sealSecret } from "../../src/secrets/secrets.ts";
import { type NameScript, NameServer } from "./address-server.ts";
import { readCertificate } from "./certificates.ts";

const SECRETS_KEY = Buffer.alloc(32);
const GUARDED = { allow_http: false, allow_private: false };
const PRIVATE = { allow_http: false, allow_private: true };

/** Reads the description of a provider, and returns the failure. */
async function failureAt(issuer: string, relaxations: typeof GUARDED, trust: ProviderTrust) {
  const organization_id = crypto.randomUUID();
  const client_secret_encrypted = sealSecret(
    SECRETS_KEY,
    { organization_id, purpose: "sign_in_provider" },
    "correct-horse",
  );
  const row = { organization_id, issuer, client_id: "findersfee", client_secret_encrypted };
  const described = { claim_roles: {}, role_claim: null, default_role: null, is_required: true };
  const calls = { fetch: createProviderFetch(relaxations, trust), relaxations, secrets_key: SECRETS_KEY };
  const error: unknown = await discover(calls, {
    ...row,
    ...described,
    session_hours: 12,
    used_at: null,
  }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { problem: callProblem(error), ...failureOf(error, organization_id) };
}

async function startNames(answer: NameScript): Promise<string[]> {
  const names = await NameServer.start(answer);
  onTestFinished(() => names.close());
  return [names.address];
}

/** A server with a certificate of the tests; counts requests. */
async function startTls(certificate: "expired" | "wrong-host" | "valid") {
  const seen = { requests: 0 };
  const tls = { key: readCertificate("server.key"), cert: readCertificate(`${certificate}.pem`) };
  const server = createServer(tls, (_request, response) => {
    seen.requests += 1;
    response.writeHead(404).end();
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { seen, issuer: `https://localhost:${(server.address() as AddressInfo).port}` };
}

it.each([
  ["of this machine", ["127.0.0.1"]],
  ["of the network", ["10.0.0.5"]],
  ["of a cloud's metadata", ["169.254.169.254"]],
  ["of IPv6", ["fd00::1"]],
  ["among public ones", ["93.184.216.34", "192.168.1.1"]],
])("refuses a provider whose name has a private address %s", async (_which, addresses) => {
  const name_servers = await startNames(() => addresses);
  expect(await failureAt("https://id.acme.example", GUARDED, { name_servers })).toMatchObject({
    reason: "unreachable",
    problem: expect.stringMatching(/^Its name leads to an address of a private network/),
    facts: expect.stringContaining("id.acme.example"),
  });
});

it("says that a name does not exist", async () => {
  const name_servers = await startNames(() => null);
  expect(await failureAt("https://id.acme.example", GUARDED, { name_servers })).toMatchObject({
    reason: "unreachable",
    problem: "Its name was not found. Check the spelling.",
  });
});

it("refuses a provider with an expired certificate, and sends it nothing", async () => {
  const { issuer, seen } = await startTls("expired");
  expect(await failureAt(issuer, PRIVATE, { ca: readCertificate("ca.pem") })).toMatchObject({
    reason: "certificate",
    problem: "The provider's TLS certificate has expired.",
    facts: expect.stringContaining("CERT_HAS_EXPIRED"),
  });
  expect(seen.requests).toBe(0);
});

it("refuses a provider with the certificate of another host, or of an unknown authority", async () => {
  const other = await startTls("wrong-host");
  expect(await failureAt(other.issuer, PRIVATE, { ca: readCertificate("ca.pem") })).toMatchObject({
    reason: "certificate",
    problem: "The provider's TLS certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID).",
  });
  const unknown = await startTls("valid");
  expect(await failureAt(unknown.issuer, PRIVATE, {})).toMatchObject({ reason: "certificate" });
});

it("says that a server does not describe itself", async () => {
  const { issuer } = await startTls("valid");
  expect(await failureAt(issuer, PRIVATE, { ca: readCertificate("ca.pem") })).toMatchObject({
    reason: "unreachable",
    problem: expect.stringContaining("/.well-known/openid-configuration"),
  });
});
