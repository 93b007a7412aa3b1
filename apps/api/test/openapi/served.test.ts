import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { describeApi } from "../../src/openapi/document.ts";
import { operationsOf } from "../../src/openapi/operations.ts";
import { v1 } from "../../src/v1-router.ts";
import { RawConnection } from "../raw-connection.ts";
import { startTestService, type TestClient, type TestService } from "../test-service.ts";
import { describedOperation, validatorFor } from "./validator.ts";

const document = describeApi(v1, { server_url: "/v1", version: "1.2.3" });

const ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

describe("the served document", () => {
  const { validateResponse } = validatorFor(document);
  let service: TestService;
  let organization: TestClient;
  let url: string;

  beforeAll(async () => {
    service = await startTestService({ rate_limit_per_minute: 1000 });
    organization = await service.organization();
    url = `${service.url}/v1/openapi.json`;
  });

  afterAll(() => service.close());

  /** Sends an operation's example with real ids. */
  async function send(id: string, ids: Record<string, string> = {}): Promise<string> {
    const { method, path } = operationsOf(v1).find((operation) => operation.id === id) ?? {
      method: "",
      path: "",
    };
    const example = describedOperation(document, id).requestBody?.content["application/json"].example;
    const body = z.looseObject({}).parse(example);
    for (const name of Object.keys(body)) if (ids[name] !== undefined) body[name] = ids[name];
    const request = { method: method.toUpperCase(), path: path.replace("{id}", ids.id ?? "") };
    const answer = await organization.rest(request.method, request.path, body);
    validateResponse({ ...request, ...answer, path: `/v1${request.path}` });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data.id;
  }

  it("serves the document without authentication", async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, no-cache");
    const version = "unreleased";
    const contact = { ...document.info.contact, url: `${service.url}/docs/` };
    const info = { ...document.info, version, contact };
    expect(await response.json()).toEqual({ ...document, info, servers: [{ url: `${service.url}/v1` }] });
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  });

  it("returns 304 for a current copy", async () => {
    const etag = (await fetch(url)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await fetch(url, { headers: { "if-none-match": tags } });
      expect([response.status, await response.text()]).toEqual([304, ""]);
      expect(response.headers.get("etag")).toBe(etag);
    }
    const response = await fetch(url, { headers: { "if-none-match": '"other"' } });
    expect(response.status).toBe(200);
    await response.text();
  });

  it("accepts all example bodies and responds as documented", async () => {
    const campaign_id = await send("createCampaign");
    await send("updateCampaign", { id: campaign_id });
    const affiliate_id = await send("createAffiliate", { campaign_id });
    await send("updateAffiliate", { id: affiliate_id });
    const referral_id = await send("createReferral", { affiliate_id });
    await send("updateReferral", { id: referral_id });
    const commission_id = await send("createCommission", { referral_id });
    await send("updateCommission", { id: commission_id });
    for (const list of ["campaigns", "affiliates", "referrals", "commissions", "payouts", "events"]) {
      const answer = await organization.rest("GET", `/${list}`);
      expect(answer.status).toBe(200);
      validateResponse({ method: "GET", path: `/v1/${list}`, ...answer });
    }
  });

  it("returns errors as documented", async () => {
    const requests: [number, string, string, unknown?, Record<string, string>?][] = [
      [400, "GET", "/affiliates?limit=0"],
      [400, "PUT", `/campaigns/${ID}`, { colour: "green" }],
      [400, "POST", "/campaigns", { name: "" }, { "idempotency-key": "k".repeat(256) }],
      [401, "GET", "/events", undefined, { authorization: "Bearer nothing" }],
      [404, "GET", `/payouts/${ID}`],
      [404, "GET", "/nothing"],
      [405, "DELETE", `/campaigns/${ID}`],
      [413, "POST", "/referrals", { email: "x".repeat(300_000) }],
      [415, "POST", "/referrals", {}, { "content-type": "text/plain" }],
    ];
    for (const [status, method, path, body, headers] of requests) {
      const answer = await organization.rest(method, path, body, headers);
      expect(answer.status, `${method} ${path}`).toBe(status);
      validateResponse({ method, path: `/v1${path}`, ...answer });
    }
  });

  it("reads the audit log as documented", async () => {
    const staff = await service.staff(organization.organization_id);
    const scopes = ["audit" as const];
    const key = await staff.trpc.dashboard.api_keys.create.mutate({ name: "SIEM", scopes, expires_at: null });
    const read = async (query: string) => {
      const response = await fetch(`${service.url}/v1/audit-log${query}`, {
        headers: { authorization: `Bearer ${key.token}` },
      });
      const text = await response.text();
      const body: unknown = response.ok ? text : JSON.parse(text);
      const { status, headers } = response;
      validateResponse({ method: "GET", path: `/v1/audit-log${query}`, status, headers, body });
      return { text, type: headers.get("content-type") };
    };
    // Transactions of other tests on the same server delay the feed.
    await expect.poll(async () => (await read("")).text, { timeout: 60_000 }).not.toBe("");
    const { text, type } = await read("?limit=1");
    expect(type).toBe("application/x-ndjson; charset=utf-8");
    const { validateLine } = validatorFor(document);
    for (const line of text.trimEnd().split("\n")) validateLine("AuditLogLine", JSON.parse(line));
    for (const query of ["?limit=0", "?colour=green"]) await read(query);
  });

  it("answers at other host names as documented", async () => {
    const own = await startTestService({ public_url: "https://partners.example" });
    try {
      const connection = await RawConnection.open(own.url);
      connection.write("GET /v1/campaigns HTTP/1.1\r\nhost: other.example\r\nconnection: close\r\n\r\n");
      const answer = await connection.answer();
      if (answer === null) throw new Error("no answer");
      expect(answer.status).toBe(421);
      validateResponse({ method: "GET", path: "/v1/campaigns", ...answer });
    } finally {
      await own.close();
    }
  });

  it("accepts an Idempotency-Key of the documented length", async () => {
    const body = describedOperation(document, "createCampaign").requestBody?.content["application/json"]
      .example;
    const headers = { "idempotency-key": "k".repeat(255) };
    const first = await organization.rest("POST", "/campaigns", body, headers);
    const again = await organization.rest("POST", "/campaigns", body, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    validateResponse({ method: "POST", path: "/v1/campaigns", ...again });
  });

  it("does not coerce tRPC input after generating the document", async () => {
    const input: { limit: number } = JSON.parse('{"limit": "10"}');
    await expect(organization.trpc.campaigns.list.query(input)).rejects.toMatchObject({
      data: { code: "invalid_request" },
    });
  });

  /** The server in the document for a request with this HTTP version and Host header. */
  async function serverFor(version: string, host: string, { url: at } = service): Promise<unknown> {
    const connection = await RawConnection.open(at);
    connection.write(`GET /v1/openapi.json HTTP/${version}\r\n${host}connection: close\r\n\r\n`);
    const answer = await connection.answer();
    return answer?.body.servers;
  }

  it("contains the requested address, or none without a Host", async () => {
    expect(await serverFor("1.1", "host: example.com:8080\r\n")).toEqual([
      { url: "http://example.com:8080/v1" },
    ]);
    expect(await serverFor("1.1", "host: [::1]:3000\r\n")).toEqual([{ url: "http://[::1]:3000/v1" }]);
    // After a request for another host, it is the same as before.
    expect(await serverFor("1.1", "host: example.com:8080\r\n")).toEqual([
      { url: "http://example.com:8080/v1" },
    ]);
    for (const host of ["", "host: \r\n", "host: a b\r\n", "host: /x\r\n", "host: :80\r\n"]) {
      expect(await serverFor("1.0", host), host).toEqual([{ url: "/v1" }]);
    }
  });

  it.each([false as const, 1, ["127.0.0.1"]])(
    "ignores X-Forwarded-Host with trust_proxy %j",
    async (trust_proxy) => {
      const behind = await startTestService({ trust_proxy });
      try {
        const forwarded = "host: a.example\r\nx-forwarded-proto: https\r\nx-forwarded-host: b.example\r\n";
        expect(await serverFor("1.1", forwarded, behind)).toEqual([{ url: "http://a.example/v1" }]);
      } finally {
        await behind.close();
      }
    },
  );

  it("contains the public address", async () => {
    const behind = await startTestService({ public_url: "https://example.com/partners" });
    try {
      const response = await fetch(`${behind.url}/v1/openapi.json`);
      expect(await response.json()).toMatchObject({ servers: [{ url: "https://example.com/partners/v1" }] });
    } finally {
      await behind.close();
    }
  });
});
