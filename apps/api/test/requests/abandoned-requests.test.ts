/* Clients that disconnect before their response hold slots only while their requests run. */

import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILES_PER_ORGANIZATION } from "../../src/files/mount.ts";
import { CAMPAIGN } from "../program.ts";
import { head, RawConnection } from "../raw-connection.ts";
import { startTestService, type TestClient, type TestService } from "../test-service.ts";

const PER_KEY = 2;
const FILE = "/dashboard/payout-runs/01a2022a-7da4-7000-b95b-81d20fb25ab0/export";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    concurrent_requests: { per_key: PER_KEY, per_organization: 0, per_address: 0 },
  });
});

afterAll(() => service.close());

function requestOf({ api_key }: TestClient): string {
  return head(`GET ${FILE} HTTP/1.1`, { authorization: `Bearer ${api_key}` });
}

/** 403: the request got a slot, although its key lacks the scope; 429: it got none. */
async function expectStatus({ api_key }: TestClient, status: 403 | 429): Promise<void> {
  const headers = { authorization: `Bearer ${api_key}` };
  const send = async () => (await fetch(`${service.url}${FILE}`, { headers })).status;
  await expect.poll(send).toBe(status);
}

describe("requests for files", () => {
  it("release their slots if the client disconnects during the key lookup", async () => {
    const client = await service.organization();
    const held = await holdTransaction(service.database);
    await held.sql`lock table api_keys`;
    const connections = await Promise.all(
      Array.from({ length: FILES_PER_ORGANIZATION }, () => RawConnection.open(service.url)),
    );
    for (const { socket } of connections) socket.write(requestOf(client));
    await awaitWaiting(service.database);
    for (const connection of connections) connection.close();
    // Responds after the service has seen the connections close.
    await fetch(`${service.url}/healthz`);
    await held.rollBack();
    await expectStatus(client, 403);
  });

  it("release their slots if the client disconnects while an earlier request on the connection runs", async () => {
    const client = await service.organization();
    const held = await holdTransaction(service.database);
    await held.sql`lock table campaigns`;
    const connection = await RawConnection.open(service.url);
    const slow = head("GET /v1/campaigns HTTP/1.1", { authorization: `Bearer ${client.api_key}` });
    connection.write(slow + requestOf(client).repeat(FILES_PER_ORGANIZATION));
    await awaitWaiting(service.database);
    await expectStatus(client, 429);
    connection.close();
    await held.rollBack();
    await expectStatus(client, 403);
  });
});

it("holds a key's slots until its requests end, even after the client disconnects", async () => {
  const client = await service.organization();
  const statusOf = async () => (await client.rest("GET", "/affiliates")).status;
  expect(await statusOf()).toBe(200);
  const held = await holdTransaction(service.database);
  await held.sql`lock table campaigns`;
  try {
    // Changes, since statements of reads are canceled half a second later.
    const body = JSON.stringify(CAMPAIGN);
    const create = head("POST /v1/campaigns HTTP/1.1", {
      authorization: `Bearer ${client.api_key}`,
      "content-type": "application/json",
      "content-length": `${body.length}`,
    });
    for (let count = 1; count <= PER_KEY; count++) {
      const connection = await RawConnection.open(service.url);
      connection.write(create + body);
      await awaitWaiting(service.database, count);
      connection.close();
    }
    // Responds after the service has seen the connections close.
    await fetch(`${service.url}/healthz`);
    expect(await statusOf()).toBe(429);
  } finally {
    await held.rollBack();
  }
  await expect.poll(statusOf).toBe(200);
});
