import { randomUUID } from "node:crypto";
import type { Role } from "@findersfee/contract/identity/roles";
import { createUser } from "@findersfee/domain/identity/users/create";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { type Browser, openBrowser } from "../browser.ts";
import type { TestService } from "../test-service.ts";

export const PASSWORD = "correct horse battery";

/** A person with a password, in a browser. */
export interface Person {
  user_id: string;
  email: string;
  organization_id: string;
  browser: Browser;
}

/** A new organization's id. */
export async function newOrganization({ database }: TestService, name = "Acme"): Promise<string> {
  const terms = { name, currency: "USD", subscription_status: "active" } as const;
  return (await createOrganization(database, terms)).organization_id;
}

/** Creates a user as the operator does; the person then follows the link, which signs them in. */
export async function newPerson(
  service: TestService,
  { organization_id, role = "owner" }: { organization_id?: string; role?: Role } = {},
): Promise<Person> {
  const organization = organization_id ?? (await newOrganization(service));
  const email = `jane-${randomUUID()}@example.com`;
  const { user_id, link } = await createUser(service.database, {
    name: "Jane Doe",
    email,
    organization_id: organization,
    role,
  });
  const browser = openBrowser(service);
  const answer = await browser.post("/auth/setup/complete", { token: link?.token, password: PASSWORD });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return { user_id, email, organization_id: organization, browser };
}
