import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import {
  genericHeaders,
  STRIPE_SECRET,
  stripeEvent,
  stripeHeaders,
} from "@findersfee/domain/testing/processors/signed";
import { checkScreen, checkScreenAgain } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import { expect, it } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { createPlace, LONG_TEXT, MARKUP, type Place, type Visit } from "./program.ts";
import { startWorkerOf } from "./working.ts";

describeInBrowser("connections", (dashboard) => {
  async function open(place: Place, path: string, ready: string, options: Visit = {}) {
    const opened = await dashboard.open(`/connections${path}`, { at: place, ...options });
    await opened.page.getByText(ready).first().waitFor();
    return opened;
  }

  async function post(
    { organization_id }: Place,
    name: string,
    body: string,
    headers: Record<string, string>,
  ) {
    const url = `${dashboard.service.url}/processors/${name}/${organization_id}`;
    return (await fetch(url, { method: "POST", headers, body })).status;
  }

  const sendStripe = (place: Place, body: string, secret = STRIPE_SECRET) =>
    post(place, "stripe", body, stripeHeaders(body, { secret }));

  /** Connects the generic processor. Returns a function that reports to it. */
  async function connectGeneric(place: Place) {
    const { trpc } = await dashboard.service.staff(place.organization_id, "admin");
    const { signing_secret: secret } = await trpc.dashboard.processors.connect.mutate({ name: "generic" });
    return async (id: string, type: string, data: object) => {
      const body = JSON.stringify({ type, occurred_at: new Date().toISOString(), data });
      expect(await post(place, "generic", body, genericHeaders(body, { id, secret }))).toBe(200);
    };
  }

  it("connects Stripe, refuses a message with another secret, and shows the first one that arrives", async () => {
    const place = await createPlace(dashboard.database);
    const { page, complaints } = await open(place, "", "Connect Stripe");
    await checkScreen(page, "connections-empty");
    await page.getByRole("link", { name: "Connect Stripe" }).click();
    await page
      .getByText(`${dashboard.service.url}/processors/stripe/${place.organization_id}`, { exact: true })
      .waitFor();
    await page.getByText("invoice_payment.paid").waitFor();
    await checkScreen(page, "connection-connect");
    await page.getByRole("button", { name: "Connect Stripe" }).click();
    await page.getByLabel("Signing secret").and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByLabel("Signing secret").fill(STRIPE_SECRET);
    await page.getByRole("button", { name: "Connect Stripe" }).click();
    await page.getByText("Waiting for the first message").waitFor();
    const body = stripeEvent("evt_1", "invoice.paid", {});
    expect(await sendStripe(place, body, "whsec_another1234567890abcdef1234567890")).toBe(400);
    await page.getByText("A message was rejected").waitFor();
    await page.getByText("The signature does not match").waitFor();
    await checkScreen(page, "connection-refusing");
    expect(await sendStripe(place, body)).toBe(200);
    await page.getByText("Last message just now").waitFor();
    await expect.poll(() => page.getByText("A message was rejected").count()).toBe(0);
    await checkScreen(page, "connection");
    // The missing secret is the only request of the page that fails.
    expect(complaints.filter((complaint) => !complaint.includes("400"))).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "connects another biller with a secret that is shown once, rotates it, and disconnects",
    async () => {
      const place = await createPlace(dashboard.database);
      const { page, complaints } = await open(place, "/generic", "Message format");
      await page.getByRole("button", { name: "Connect another billing system" }).click();
      const dialog = page.getByRole("dialog");
      const first = (await dialog.getByText(/^whsec_/).textContent()) ?? "";
      await checkScreen(page, "connection-secret");
      await dialog.getByRole("button", { name: "Done" }).click();
      await expect.poll(() => page.getByText(first).count()).toBe(0);
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Rotate the secret…" }).click();
      await dialog.getByRole("button", { name: "Rotate" }).click();
      await dialog.getByText("Copy it now").waitFor();
      await expect.poll(() => dialog.getByText(/^whsec_/).textContent()).not.toBe(first);
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByText("The old one is valid until").waitFor();
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Disconnect…" }).click();
      await dialog.getByRole("button", { name: "Disconnect" }).click();
      await page.getByRole("link", { name: "Connect another billing system" }).waitFor();
      expect(complaints).toEqual([]);
      await closePage(page);
    },
  );

  it("shows viewers connections without their actions", async () => {
    const place = await createPlace(dashboard.database);
    await connectGeneric(place);
    const { page, complaints } = await open(place, "/generic", "Waiting for the first message", {
      role: "viewer",
    });
    await expect
      .poll(() => page.getByRole("button", { name: "More" }).and(page.locator("main *")).count())
      .toBe(0);
    await page.getByRole("main").getByRole("link", { name: "Connections" }).click();
    await page.getByText("Not connected").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Connect Stripe" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "reruns dead-lettered messages after the cause was mended, and shows what they led to",
    async () => {
      const place = await createPlace(dashboard.database);
      const { organization_id: id } = place;
      const report = await connectGeneric(place);
      const worker = await startWorkerOf(dashboard.service);
      const customer = { customer_id: "c_1", email: "kim@example.com" };
      const payment = { customer_id: "c_1", payment_id: "p_1", currency: "USD" };
      await report("m_customer", "customer", customer);
      await report("m/payment?1#x", "payment", { ...payment, revenue_amount: "forty-nine" });
      await report("m_markup", "payment", { ...payment, payment_id: MARKUP, note: LONG_TEXT });
      const { page, complaints } = await open(place, "/messages", "2 messages failed");
      await page.getByText("Processed", { exact: true }).first().waitFor();
      await expect.poll(() => page.getByRole("row").nth(1).getByText("Failed").count()).toBe(1);
      await checkScreen(page, "messages");
      await page.getByRole("textbox").fill("m/pay");
      await page.waitForURL(/text=m/);
      const first = page.getByRole("row").filter({ hasText: "m/payment" });
      await first.getByRole("link", { name: "payment" }).click();
      await page.getByText("The highlighted field is the reason").waitFor();
      await expect.poll(() => page.locator("mark").textContent()).toContain('"revenue_amount": "forty-nine"');
      await checkScreen(page, "message-dead-lettered");
      // A manual repair: no processor sends another body with the same id.
      await dashboard.database`
      update processor_messages set body = replace(body, '"forty-nine"', '49') where organization_id = ${id}`;
      await page.getByRole("button", { name: "Rerun" }).click();
      await page.getByText("Processed", { exact: true }).first().waitFor();
      await page.getByRole("link", { name: "p_1" }).waitFor();
      await checkScreenAgain(page, "message-done");
      await page.getByRole("link", { name: "p_1" }).click();
      await page.waitForURL(/\/payments\//);
      await dashboard.turn(page, "/connections/messages", place);
      await page.getByRole("button", { name: "Rerun 1 failed" }).click();
      await page.getByText("1 message is being processed again").waitFor();
      await worker.stop();
      expect(complaints).toEqual([]);
      await closePage(page);
    },
  );

  it.runIf(FULL_TESTS)("says that there are no messages, or none that match", async () => {
    const place = await createPlace(dashboard.database, "Empty");
    const { page, complaints } = await open(place, "/messages", "No messages yet");
    await checkScreen(page, "messages-empty");
    await dashboard.turn(page, "/connections/messages?text=evt_nothing", place);
    await page.getByText("No messages match").waitFor();
    await checkScreenAgain(page, "messages-none-match");
    await dashboard.turn(page, "/connections/messages/stripe/evt_nothing", place);
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "shows Stripe's words about a promo code that failed, tries again, and links one by its id",
    async () => {
      const place = await createPlace(dashboard.database);
      const { organization_id: id } = place;
      const { trpc } = await dashboard.service.staff(id, "admin");
      const campaign = await trpc.campaigns.create.mutate({
        name: "Partners",
        website_url: "https://example.com",
        commission_type: "percentage",
        commission_amount: 30,
        code_mode: "both",
        reference_coupon: "co_30",
      });
      await trpc.affiliates.create.mutate({
        email: "jane@example.com",
        campaign_id: campaign.id,
        promo_code: "JANE30",
      });
      await dashboard.database`
      update affiliate_codes set due_at = null, failures = 3, reason = 'No such coupon: ''co_30''.'
      where organization_id = ${id} and kind = 'promo'`;
      const { page, complaints } = await open(place, "/promo-codes?state=failed", "No such coupon");
      await checkScreen(page, "promo-codes");
      await page.getByRole("button", { name: "Actions for JANE30" }).click();
      await page.getByRole("menuitem", { name: "Link by ID…" }).click();
      await page.getByLabel("Promotion code ID").fill("nonsense");
      await page.getByRole("button", { name: "Link", exact: true }).click();
      await page.getByText("Must be Stripe's id").waitFor();
      await page.getByLabel("Promotion code ID").fill("promo_1SVmJkB7WZ01zgkW");
      await page.getByRole("button", { name: "Link", exact: true }).click();
      await page.getByText("No failed promo codes").waitFor();
      await page.getByRole("link", { name: "All" }).click();
      await page.getByText("Linked manually").waitFor();
      await page.getByRole("button", { name: "Actions for JANE30" }).click();
      await page.getByRole("menuitem", { name: "Try again" }).click();
      await page.getByText("Trying JANE30 again").waitFor();
      expect(complaints.filter((complaint) => !complaint.includes("400"))).toEqual([]);
      await closePage(page);
    },
  );
});
