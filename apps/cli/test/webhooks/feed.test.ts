import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApi } from "@findersfee/api/server";
import {
  ENDPOINT_POLICY,
  QUIET,
  startTestService,
  type TestClient,
  type TestService,
} from "@findersfee/api/testing/test-service";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { UsageError } from "../../src/options.ts";
import { Feed, type FeedEvent } from "../../src/webhooks/listen/feed.ts";
import { Listener } from "../../src/webhooks/listen/listener.ts";
import { PositionFile } from "../../src/webhooks/listen/position.ts";
import { requireApiKey } from "../../src/webhooks/listen/receiver-options.ts";
import { until } from "./listening.ts";
import { addAffiliate, CAMPAIGN } from "./posting.ts";

const EVENT_ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
  await organization.trpc.campaigns.create.mutate(CAMPAIGN);
});

afterAll(() => service.close());

describe("failures", () => {
  function feed(changes: { base_url?: string; api_key?: string } = {}): Feed {
    const { url: base_url, api_key } = organization;
    return new Feed({ base_url, api_key, ...changes }, new AbortController().signal);
  }

  it("rejects an invalid secret key as a usage error", () => {
    const config = { FINDERSFEE_API_KEY: null, WEBHOOK_SECRET: null, XDG_STATE_HOME: null };
    const elsewhere = { FINDERSFEE_URL: service.url, LOCALAPPDATA: null };
    expect(() => requireApiKey(undefined, { ...config, ...elsewhere })).toThrow(UsageError);
    expect(() => requireApiKey(undefined, { ...config, ...elsewhere })).toThrow(
      /^--api-key: Required \(or FINDERSFEE_API_KEY\): a secret key/,
    );
    expect(() => feed({ api_key: "ff_pk_x" })).toThrow(UsageError);
    expect(() => feed({ api_key: "ff_pk_x" })).toThrow(
      /^--api-key \(FINDERSFEE_API_KEY\): Is a publishable key/,
    );
  });

  it("explains an unknown key or event", async () => {
    await expect(feed({ api_key: "ff_sk_x" }).end()).rejects.toThrow(
      /does not accept the API key\. Check that --api-key /,
    );
    await expect(feed().get(EVENT_ID)).rejects.toThrow(/^There is no event with this id; .*webhook-id/);
  });

  it.each([200, 403, 404, 500])("explains a response %i of another server", async (status) => {
    const headers = { "content-type": "text/html" };
    const page = createServer((_, response) => response.writeHead(status, headers).end("<html>"));
    await once(page.listen(0, "127.0.0.1"), "listening");
    const { port } = page.address() as AddressInfo;
    await expect(feed({ base_url: `http://127.0.0.1:${port}` }).end()).rejects.toThrow(
      /^\S+ responded with an HTML page .*Check --base-url/,
    );
    page.closeAllConnections();
    page.close();
  });
});

describe("an unavailable service", () => {
  let folder: string;
  const end = new AbortController();

  beforeEach(async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    folder = await mkdtemp(join(tmpdir(), "findersfee-feed-"));
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  function notices(): string {
    return vi.mocked(console.error).mock.calls.flat().join("\n");
  }

  async function says(text: RegExp): Promise<void> {
    await eventually(() => expect(notices()).toMatch(text));
  }

  it("is retried at the start and after each restart", async () => {
    const { database } = service;
    const config = { ...QUIET, port: await freePort() };
    const key = { base_url: `http://127.0.0.1:${config.port}`, api_key: organization.api_key };
    const start = () => startApi(config, database, { endpoint_policy: ENDPOINT_POLICY });
    const events: FeedEvent[] = [];
    const listener = new Listener({
      feed: new Feed(key, end.signal),
      position_file: new PositionFile(folder, key),
      forwarder: null,
      types: null,
      signal: end.signal,
      printer: { event: (event) => events.push(event), retry: () => {}, done: () => {} },
    });
    const ended = listener.listen(null).catch((error: Error) => error.name);

    await says(/^No response from http\S+ .*Retrying until it responds\.$/);
    const first = await start();
    await says(/\nThe service is reachable again\.\nReady: events from now on/);
    await addAffiliate(organization);
    await until(1, () => events);
    await first.close();
    await says(/\nReady: .*\nNo response from .*Retrying until it responds\.$/);
    const second = await start();
    await addAffiliate(organization);
    await until(2, () => events);
    await says(/\nReady: .*\n(?:No response .*\n)+The service is reachable again\.$/);

    const stored = await database`select id from events order by position, id`;
    expect(events.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    end.abort();
    expect(await ended).toBe("AbortError");
    await second.close();
  });
});
