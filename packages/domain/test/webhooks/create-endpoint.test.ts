import { randomBytes } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization } from "../../src/organizations/create.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { openSecret } from "../../src/webhooks/secrets.ts";

const policy = { secrets_key: randomBytes(32), allow_http: false, allow_private: false };

let test: TestDatabase;
let organization_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  const input = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  ({ organization_id } = await createOrganization(test.database, input));
});

afterAll(() => test.close());

function create(changes: { url?: string; event_types?: string[] | null; organization_id?: string }) {
  return createEndpoint(test.database, policy, {
    organization_id,
    url: "https://example.com/webhooks",
    event_types: null,
    description: "",
    ...changes,
  });
}

it("stores the endpoint with its secret sealed", async () => {
  const event_types = ["commission.created", "referral.created", "commission.created"];
  const { endpoint_id, secret } = await create({ event_types });
  const [row] = await test.database`select * from endpoints where id = ${endpoint_id}`;
  expect(row).toMatchObject({
    organization_id,
    url: "https://example.com/webhooks",
    event_types: ["commission.created", "referral.created"],
    enabled: true,
  });
  expect(openSecret(policy.secrets_key, { organization_id, endpoint_id }, row?.secret_encrypted)).toBe(
    secret,
  );
});

it("subscribes to every type where none is named", async () => {
  const { endpoint_id } = await create({});
  const [row] = await test.database`select event_types from endpoints where id = ${endpoint_id}`;
  expect(row?.event_types).toBeNull();
});

it.each([
  ["url", { url: "http://example.com/" }],
  ["url", { url: "https://10.0.0.1/" }],
  ["event_types", { event_types: [] }],
  ["event_types", { event_types: ["commission.deleted"] }],
])("names %s in what it refuses", async (path, changes) => {
  await expect(create(changes)).rejects.toMatchObject({ code: "invalid_request", issues: [{ path }] });
});

it("does not find an unknown organization", async () => {
  const failure = create({ organization_id: crypto.randomUUID() });
  await expect(failure).rejects.toMatchObject({ code: "not_found" });
});
