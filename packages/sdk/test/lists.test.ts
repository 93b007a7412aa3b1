import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../src/index.ts";
import { EMPTY_PAGE, respond, startFaulty } from "./faulty-server.ts";
import { recordingFetch } from "./recording-fetch.ts";
import { CAMPAIGN, createAffiliates, feedShows, type Service, startService } from "./service.ts";

const AFFILIATES = 250;

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.client.campaigns.create(CAMPAIGN);
  await createAffiliates(service, AFFILIATES);
});

afterAll(() => service.close());

function recordedClient() {
  const { sent, fetch } = recordingFetch();
  return { sent, client: createClient({ apiKey: service.api_key, baseUrl: service.url, fetch }) };
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

describe("awaited", () => {
  it("resolves to one page with its position", async () => {
    const { data, pagination } = await service.client.affiliates.list({ limit: 50, page: 2 });
    expect(data).toHaveLength(50);
    expect(pagination).toMatchObject({ page: 2, limit: 50, total_count: AFFILIATES, total_pages: 5 });
  });

  it("sends one request even if awaited repeatedly", async () => {
    const { sent, client } = recordedClient();
    const list = client.affiliates.list();
    expect(await list).toBe(await list);
    await list.finally();
    expect(await list.catch(() => null)).toBe(await list);
    expect(sent).toHaveLength(1);
  });

  it("sends nothing before it is used", async () => {
    const { sent, client } = recordedClient();
    client.affiliates.list();
    client.affiliates.list({ limit: 0 })[Symbol.asyncIterator]();
    await client.campaigns.list();
    expect(sent.map(({ path }) => path)).toEqual(["campaigns.list"]);
  });
});

describe("iterated", () => {
  it("yields every row once, with maximal pages and without counting", async () => {
    const { sent, client } = recordedClient();
    const rows = await collect(client.affiliates.list());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(AFFILIATES);
    expect(sent).toHaveLength(3);
    for (const { url } of sent) expect(new URL(url).searchParams.get("input")).toContain('"cursor"');
  });

  it("keeps filter and limit on every page", async () => {
    const { sent, client } = recordedClient();
    const rows = await collect(client.affiliates.list({ limit: 40, approved: true }));
    expect(rows).toHaveLength(AFFILIATES);
    expect(sent).toHaveLength(7);
    const { data } = await client.affiliates.list({ approved: false });
    expect([data, await collect(client.affiliates.list({ approved: false }))]).toEqual([[], []]);
  });

  it("starts at the given page", async () => {
    const { client } = recordedClient();
    const all = await collect(client.affiliates.list());
    const from_page = await collect(client.affiliates.list({ page: 3, limit: 100 }));
    expect(from_page).toEqual(all.slice(200));
    const from_cursor = await collect(client.affiliates.list({ cursor: all[99]?.id }));
    expect(from_cursor).toEqual(all.slice(100));
  });

  it("fetches pages lazily", async () => {
    const { sent, client } = recordedClient();
    for await (const _row of client.affiliates.list({ limit: 10 })) break;
    expect(sent).toHaveLength(1);
  });

  it("pages through the event feed with `after`", async () => {
    await feedShows(service, AFFILIATES);
    const { sent, client } = recordedClient();
    const events = await collect(client.events.list());
    expect(events).toHaveLength(AFFILIATES);
    expect(sent).toHaveLength(3);
    expect(new Set(events.map(({ id }) => id)).size).toBe(AFFILIATES);
    const after = events[199]?.id;
    expect(await collect(client.events.list({ after, limit: 20 }))).toEqual(events.slice(200));
  });

  it("throws the error of a failed page", async () => {
    const { client } = recordedClient();
    await expect(collect(client.affiliates.list({ limit: 0 }))).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "limit" }],
    });
  });

  it("stops at its abort signal, even between pages", async () => {
    const { sent, client } = recordedClient();
    const controller = new AbortController();
    const seen: string[] = [];
    const iteration = async () => {
      for await (const { id } of client.affiliates.list({ limit: 10 }, { signal: controller.signal })) {
        if (seen.push(id) === 15) controller.abort();
      }
    };
    await expect(iteration()).rejects.toMatchObject({ code: "aborted" });
    expect([seen.length, sent.length]).toEqual([15, 2]);
  });

  it("fails instead of looping when a page has no cursor", async () => {
    const { data, pagination } = EMPTY_PAGE.result.data;
    const page = { result: { data: { data, pagination: { ...pagination, has_more: true } } } };
    const faulty = await startFaulty(respond(200, page));
    const client = createClient({ apiKey: "ff_sk_x", baseUrl: faulty.url });
    await expect(collect(client.campaigns.list())).rejects.toMatchObject({ code: "invalid_response" });
    await faulty.close();
  });
});
