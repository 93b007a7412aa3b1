import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import { expect, it } from "vitest";
import { describeInBrowser } from "../in-browser.ts";
import { ARABIC, createPlace, MARKUP, type Place, type Visit } from "../program.ts";

describeInBrowser("API keys", (dashboard) => {
  async function open(
    place: Place,
    ready: string,
    { path = "", ...options }: Visit & { path?: string } = {},
  ) {
    const opened = await dashboard.open(`/developers/keys${path}`, { at: place, ...options });
    await opened.page.getByText(ready).first().waitFor();
    return opened;
  }

  async function filledPlace(): Promise<Place> {
    const place = await createPlace(dashboard.database);
    const { trpc } = await dashboard.service.staff(place.organization_id, "admin");
    const { create, revoke } = trpc.dashboard.api_keys;
    await create.mutate({ name: "Billing", scopes: ["read", "write"] });
    await create.mutate({ name: "Website", scopes: ["track"] });
    await create.mutate({ name: MARKUP, scopes: ["read", "write", "view", "admin"] });
    const expires_at = new Date(Date.now() + 9e8).toISOString();
    await create.mutate({ name: `${ARABIC} ${"x".repeat(150)}`, scopes: ["view"], expires_at });
    const { id } = await create.mutate({ name: "Old import", scopes: ["write"] });
    await revoke.mutate({ id });
    return place;
  }

  it.runIf(FULL_TESTS)("has all its states", async () => {
    const place = await filledPlace();
    const { page, complaints } = await open(place, "Billing");
    await checkScreen(page, "api-keys");
    await expect.poll(() => page.getByText(/^ff_pk_\w{43}$/).count()).toBe(2);
    await page.getByRole("link", { name: "Revoked" }).click();
    await page.getByRole("button", { name: "Actions for Old import" }).click();
    await page.getByRole("menuitem").first().waitFor();
    await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["History"]);
    await page.getByRole("menuitem").click();
    await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "revoked API key Old import" }).waitFor();
    expect(complaints).toEqual([]);
    await closePage(page);
    const empty = await createPlace(dashboard.database, "Empty");
    await dashboard.database`delete from api_keys where organization_id = ${empty.organization_id}`;
    const nothing = await open(empty, "No API keys yet");
    await checkScreen(nothing.page, "api-keys-empty");
    await nothing.page.getByRole("link", { name: "Revoked" }).click();
    await nothing.page.getByText("No revoked keys").waitFor();
    await closePage(nothing.page);
  });

  it.runIf(FULL_TESTS)("is read-only for viewers", async () => {
    const place = await filledPlace();
    const { page, complaints } = await open(place, "Billing", { role: "viewer" });
    await expect.poll(() => page.getByRole("button", { name: "Create key" }).count()).toBe(0);
    await page.getByRole("button", { name: "Actions for Billing" }).click();
    await page.getByRole("menuitem").first().waitFor();
    await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["History"]);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("creates a key that works, replaces it, and revokes it, after which the API refuses it", async () => {
    const place = await createPlace(dashboard.database);
    const statusWith = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${dashboard.service.url}/v1/campaigns?limit=1`, { headers })).status;
    };
    const { page, complaints } = await open(place, "Publishable key");
    const dialog = page.getByRole("dialog");
    const shownToken = async () => (await dialog.getByText(/^ff_sk_\w{43}$/).textContent()) ?? "";

    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Name").fill("");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Name").and(page.locator("[aria-invalid=true]")).waitFor();
    await checkScreen(page, "api-key-create");
    await dialog.getByLabel("Name").fill("Billing");
    await expect.poll(() => page.locator("[aria-invalid=true]").count()).toBe(0);
    await dialog.getByRole("button", { name: "Create key" }).click();
    const first = await shownToken();
    expect(await statusWith(first)).toBe(200);
    await dialog.getByText(`export FINDERSFEE_API_KEY=${first}`).waitFor();
    await dialog.getByText("/v1/campaigns?limit=1").waitFor();
    await checkScreen(page, "api-key-created");
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText(`…${first.slice(-4)}`).waitFor();
    await expect.poll(() => page.getByText(first).count()).toBe(0);

    await page.getByRole("button", { name: "Actions for Billing" }).click();
    await page.getByRole("menuitem", { name: "Rotate…" }).click();
    await dialog.getByRole("button", { name: "Rotate" }).click();
    await dialog.getByText("The old key is valid until").waitFor();
    const second = await shownToken();
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText(`…${second.slice(-4)}`).waitFor();

    await page
      .getByRole("row", { name: second.slice(-4) })
      .getByRole("button", { name: /Actions/ })
      .click();
    await page.getByRole("menuitem", { name: "Revoke…" }).click();
    await dialog.getByLabel("Type its name").fill("billing");
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await dialog.getByText("That is not the key’s name").waitFor();
    expect(await statusWith(second)).toBe(200);
    await dialog.getByLabel("Type its name").fill("Billing");
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Key revoked").waitFor();
    await expect.poll(() => statusWith(second)).toBe(401);
    // The name that was missing is the only failed request.
    expect(complaints.filter((complaint) => !complaint.includes("400"))).toEqual([]);
    await closePage(page);
  });
});
