import { canMount, SmallDisk } from "@findersfee/database/testing/small-disk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { surfaces } from "../operations.ts";
import { CAMPAIGN } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, startTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  // Pages of a database that others have used have space for rows.
  service = await startTestService({}, undefined, {}, { fresh: true });
  organization = await service.organization();
});

afterAll(() => service.close());

async function create(surface: (typeof surfaces)[number]): Promise<ApiResponse> {
  if (surface === "rest") return await organization.rest("POST", "/campaigns", CAMPAIGN);
  const response = await fetch(`${service.url}/v1/trpc/campaigns.create`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.api_key}`, "content-type": "application/json" },
    body: JSON.stringify(CAMPAIGN),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function expectUnavailable(): Promise<void> {
  for (const surface of surfaces) {
    const answer = await create(surface);
    expect(answer.status).toBe(503);
    expect(responseError(surface, answer).code).toBe("unavailable");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
}

it.skipIf(!canMount())("answers unavailable while the disk is full, and recovers", async () => {
  const { database } = service;
  const disk = await SmallDisk.mount(database);
  try {
    await database.unsafe(`alter table campaigns set tablespace ${disk.tablespace}`);
    await disk.fill();
    await expectUnavailable();
    await disk.clear();
    for (const surface of surfaces) expect((await create(surface)).status).toBe(200);
    expect(await database`select from campaigns`).toHaveLength(surfaces.length);
  } finally {
    await database`alter table campaigns set tablespace pg_default`;
    await disk.unmount();
  }
});

it.each([
  ["disk full", "53100"],
  ["out of memory", "53200"],
  ["I/O error", "58030"],
  ["statement timeout", "57014"],
  ["a deadlock that persists", "40P01"],
])("answers unavailable for %s (%s)", async (_name, state) => {
  const { database } = service;
  await database.unsafe(`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '${state}', message = 'injected'; end $$;
    create trigger fail before insert on campaigns for each row execute function fail();`);
  try {
    await expectUnavailable();
  } finally {
    await database`drop function fail cascade`;
  }
});
