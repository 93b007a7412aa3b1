/* Names that mails to strangers contain send nobody anywhere. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { renameUser } from "../../src/identity/accounts/profile.ts";
import { changeOrganization } from "../../src/organizations/change.ts";
import { requestJoining } from "../../src/portal/join.ts";
import { signIn } from "../identity/accounts/sign-in.ts";
import { openProgram, secrets_key } from "./joining.ts";

const ADDRESS = "Acme. SUSPENDED: verify at https://acme-verify.example/login";
const REFUSED = {
  code: "invalid_request",
  issues: [{ message: expect.stringContaining("without addresses") }],
};

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it("are refused to organizations, people and applicants", async () => {
  const program = await openProgram(test.database);
  const { context } = program;
  const { user_id } = await signIn(test.database, {
    organization_id: context.organization.id,
    role: "owner",
  });
  const asked = { limited_to: null, network: "192.0.2" };
  await expect(changeOrganization(context, { name: ADDRESS })).rejects.toMatchObject(REFUSED);
  await expect(renameUser(test.database, { user_id, name: ADDRESS })).rejects.toMatchObject(REFUSED);
  for (const field of ["first_name", "last_name"]) {
    const form = program.form({ [field]: ADDRESS.slice(0, 100) });
    await expect(requestJoining({ database: test.database, secrets_key }, form, asked)).rejects.toMatchObject(
      REFUSED,
    );
  }
  await changeOrganization(context, { name: "Booking.com" });
});

it("stay as they are in other changes of an organization", async () => {
  const { context } = await openProgram(test.database);
  await test.database`update organizations set name = ${ADDRESS} where id = ${context.organization.id}`;
  await changeOrganization(context, { name: ADDRESS, time_zone: "Europe/Berlin" });
});
