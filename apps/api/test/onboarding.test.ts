/* Test data is an organization of its own, for the people of the one that played a sale. */
import { randomUUID } from "node:crypto";
import { makeFirstSetupLink } from "@findersfee/domain/identity/setup/links";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, openBrowser } from "./browser.ts";
import { newPerson } from "./identity/people.ts";
import { CAMPAIGN } from "./program.ts";
import { startTestService, type TestService } from "./test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

/** A person who has played a sale: the dashboard of the organization, and of its test data. */
async function played() {
  const person = await newPerson(service);
  const own = person.browser.dashboard(person.organization_id);
  const { trpc } = await service.staff(person.organization_id);
  await trpc.campaigns.create.mutate(CAMPAIGN);
  const { organization } = await own.onboarding.play_sale.mutate({ id: randomUUID() });
  const test = person.browser.dashboard(organization.id);
  // The service caches a session for a second.
  await expect.poll(() => codeOf(test.settings.get.query())).toBeNull();
  return { person, own, test, organization };
}

describe("in test data", () => {
  it("people manage API keys with their role", async () => {
    const { test } = await played();
    const { id } = await test.api_keys.create.mutate({ name: "Shop", scopes: ["read"], expires_at: null });
    await test.api_keys.revoke.mutate({ id });
  });

  it("nobody sets a payout day or invites somebody", async () => {
    const { test } = await played();
    const refused = { data: { code: "test_data" } };
    await expect(test.settings.update.mutate({ payout_day: 5 })).rejects.toMatchObject(refused);
    await expect(
      test.invitations.create.mutate({ email: "joe@example.com", role: "viewer", mailed: false }),
    ).rejects.toMatchObject(refused);
    expect(await test.settings.update.mutate({ payout_day: null, hold_days: 5 })).toMatchObject({
      hold_days: 5,
    });
  });

  it("the first user of a service is not offered to own it", async () => {
    const { own, organization, person } = await played();
    await own.onboarding.remove_test_data.mutate({ organization_id: organization.id });
    await own.onboarding.play_sale.mutate({ id: randomUUID() });
    await service.database`delete from members`;
    await service.database`delete from users`;
    const link = await makeFirstSetupLink(service.database);
    const { body } = await openBrowser(service).post("/auth/setup/status", { token: link?.token });
    const ids = body.data.organizations.map(({ id }: { id: string }) => id);
    expect(ids).toContain(person.organization_id);
    expect(
      await service.database`select from organizations where id = any (${ids}) and test_of is not null`,
    ).toHaveLength(0);
  });
});
