import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuthenticator } from "../../src/identity/api-keys/authenticate.ts";
import { listApiKeys } from "../../src/identity/api-keys/list.ts";
import {
  createFirstOrganization,
  createOrganization,
  type NewOrganization,
} from "../../src/organizations/create.ts";
import { listOrganizations } from "../../src/organizations/list.ts";
import { updateOrganization } from "../../src/organizations/update.ts";

const ACME: NewOrganization = { name: "Acme", currency: "USD", subscription_status: "active" };

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

it("creates the first organization once", async () => {
  const starts = [1, 2, 3].map(() => createFirstOrganization(test.database, ACME));
  const created = (await Promise.all(starts)).filter((organization) => organization !== null);
  expect(created).toHaveLength(1);
  expect(await listOrganizations(test.database)).toHaveLength(1);
});

it.each(["Embed", "Sign in!", "trpc", "Admin", "API", "www", "Portal"])(
  "gives %j a slug that is no page of the service",
  async (name) => {
    const { organization_id } = await createOrganization(test.database, { ...ACME, name });
    const [row] = await test.database`select slug from organizations where id = ${organization_id}`;
    expect(row?.slug).toMatch(/^(embed|sign-in|trpc|admin|api|www|portal)-\d{6}$/);
  },
);

it("creates an organization with a secret and a publishable key", async () => {
  const created = await createOrganization(test.database, ACME);
  const { authenticate } = createAuthenticator(test.database);
  const secret = await authenticate(created.api_key);
  expect(secret.scopes).toEqual(["read", "write"]);
  expect(secret.organization).toEqual({
    id: created.organization_id,
    currency: "USD",
    subscription_status: "active",
  });
  expect((await authenticate(created.publishable_key)).scopes).toEqual(["track"]);
  expect(await listApiKeys(test.database, created.organization_id)).toHaveLength(2);
});

it("creates nothing if the database rejects the organization", async () => {
  const before = await listOrganizations(test.database);
  await expect(createOrganization(test.database, { ...ACME, currency: "usd" })).rejects.toThrow();
  expect(await listOrganizations(test.database)).toEqual(before);
});

it("updates the subscription and rejects unknown organizations", async () => {
  const { organization_id: id } = await createOrganization(test.database, ACME);
  const updated = await updateOrganization(test.database, { id, subscription_status: "past_due" });
  expect(updated).toMatchObject({ id, name: "Acme", subscription_status: "past_due" });
  const unknown = { id: crypto.randomUUID(), subscription_status: "active" } as const;
  await expect(updateOrganization(test.database, unknown)).rejects.toMatchObject({ code: "not_found" });
});

it("lists all organizations in the order of their creation, over several pages", async () => {
  const before = await listOrganizations(test.database);
  await test.database`
    insert into organizations (id, name, slug, currency, subscription_status, created_at)
    select ('ffffffff-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number::text, number::text, 'USD', 'active', now()
    from generate_series(1, 1001) number`;
  const names = (await listOrganizations(test.database)).slice(before.length).map(({ name }) => name);
  expect(names).toEqual(Array.from({ length: 1001 }, (_, index) => `${index + 1}`));
});

it("lists test data with its organization", async () => {
  const { organization_id } = await createOrganization(test.database, ACME);
  const { organization_id: id } = await createOrganization(test.database, {
    ...ACME,
    test_of: organization_id,
  });
  const listed = await listOrganizations(test.database);
  const testOf = (asked: string) => listed.find((organization) => organization.id === asked)?.test_of;
  expect([testOf(organization_id), testOf(id)]).toEqual([null, organization_id]);
});
