import { openBrowser } from "@findersfee/api/testing/browser";
import { ENDPOINT_POLICY, type TestService } from "@findersfee/api/testing/test-service";
import type { Role } from "@findersfee/contract/identity/roles";
import { createUser } from "@findersfee/domain/identity/users/create";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import type { Page } from "playwright-core";
import type { Place } from "../program.ts";

export const PASSWORD = "correct horse battery";
export const { secrets_key: SECRETS_KEY } = ENDPOINT_POLICY;

/** A member with a password, who is also signed in outside of the browser. */
export interface Member {
  user_id: string;
  email: string;
  api: ReturnType<ReturnType<typeof openBrowser>["dashboard"]>;
  account: ReturnType<typeof openBrowser>["account"];
}

/** Fills in the page for signing in. */
export async function typePassword(page: Page, email: string): Promise<void> {
  await page
    .getByRole("heading", { level: 1, name: "Sign in to Findersfee" })
    .waitFor({ timeout: LOAD_MILLISECONDS });
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

export async function makePerson(
  service: TestService,
  { organization_id }: Place,
  { name, role }: { name: string; role: Role },
): Promise<Member> {
  const email = `${crypto.randomUUID()}@example.com`;
  const { user_id, link } = await createUser(service.database, { name, email, organization_id, role });
  const browser = openBrowser(service);
  await browser.post("/auth/setup/complete", { token: link?.token, password: PASSWORD });
  return { user_id, email, api: browser.dashboard(organization_id), account: browser.account };
}
