import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, type Findersfee } from "../src/index.ts";
import { type FaultyServer, forward, respond, startFaulty } from "./faulty-server.ts";
import { CAMPAIGN, type Service, startService } from "./service.ts";

let service: Service;
/** A reverse proxy that forwards only the service's path `/v1`. */
let proxy: FaultyServer;

beforeAll(async () => {
  service = await startService();
  const pass = forward(service.url);
  const refuse = respond(404, "<h1>404 Not Found</h1>", { "content-type": "text/html" });
  proxy = await startFaulty((incoming, outgoing) => {
    const is_api = incoming.url?.startsWith("/v1/") === true;
    (is_api ? pass : refuse)(incoming, outgoing);
  });
});

afterAll(async () => {
  await proxy.close();
  await service.close();
});

async function useEveryKindOfCall(client: Findersfee): Promise<string[]> {
  const campaign = await client.campaigns.create({ ...CAMPAIGN, is_default: false });
  const changed = await client.campaigns.update({ id: campaign.id, name: "Friends" });
  const [again, page] = await Promise.all([
    client.campaigns.get({ id: campaign.id }),
    client.campaigns.list({ limit: 1 }),
  ]);
  const [newest] = page.data;
  return [changed, again, newest].map((item) => `${item?.id === campaign.id} ${item?.name}`);
}

it.each(["", "/", "/v1", "/v1/", "/v1/trpc"])(
  "sends requests only below /v1, for a baseUrl ending in %j",
  async (end) => {
    proxy.seen.length = 0;
    const client = createClient({ apiKey: service.api_key, baseUrl: `${proxy.url}${end}`, maxRetries: 0 });
    expect(await useEveryKindOfCall(client)).toEqual(Array(3).fill("true Friends"));
    expect(proxy.seen.filter(({ url }) => !url.startsWith("/v1/trpc/"))).toEqual([]);
  },
);
