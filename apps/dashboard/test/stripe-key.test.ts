import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createServer, type Server } from "node:tls";
import type { TestService } from "@findersfee/api/testing/test-service";
import { signIn } from "@findersfee/domain/testing/accounts";
import { addPartner, click } from "@findersfee/domain/testing/attribution/program";
import { readCertificate } from "@findersfee/domain/testing/identity/certificates";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { checkScreen, checkScreenAgain } from "@findersfee/ui/testing/screens";
import { StripeServer } from "@findersfee/worker/testing/processors/stripe-server";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlace, type Place, startDashboard } from "./program.ts";
import { startWorkerOf } from "./working.ts";

let service: TestService;
let stripe: StripeServer;
let worker: Awaited<ReturnType<typeof startWorkerOf>>;
let browser: Browser;
let proxy: Server;
let place: Place;
let context: BrowserContext;
let page: Page;
let origin: string;

/** Terminates TLS like a proxy. The port of the service behind it is known only later. */
async function startProxy(portOf: () => number): Promise<Server> {
  const keys = { key: readCertificate("server.key"), cert: readCertificate("self-signed.pem") };
  const server = createServer(keys, (socket) => {
    const upstream = connect(portOf(), "127.0.0.1");
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

describe.skipIf(!has_chromium)(`connecting Stripe by a key${without_chromium}`, () => {
  beforeAll(async () => {
    stripe = await StripeServer.start();
    proxy = await startProxy(() => Number(new URL(service.url).port));
    const public_url = `https://partners.test:${(proxy.address() as AddressInfo).port}`;
    origin = public_url;
    service = await startDashboard({ public_url });
    worker = await startWorkerOf(service, { stripe_api_url: stripe.url, public_url });
    browser = await borrowChromium();
    place = await createPlace(service.database);
    const { token } = await signIn(service.database, {
      organization_id: place.organization_id,
      role: "admin",
    });
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    context.setDefaultTimeout(LOAD_MILLISECONDS / 2);
    const cookie = { name: "__Host-findersfee_session", value: token, secure: true, httpOnly: true };
    await context.addCookies([{ ...cookie, url: origin }]);
    page = await context.newPage();
  }, 120_000);

  afterAll(async () => {
    await context?.close();
    await browser?.close();
    await worker?.stop();
    await service?.close();
    proxy?.close();
    await stripe?.close();
  });

  const open = async (path: string, text: string) => {
    await page.goto(`${origin}${place.home}${path}`);
    await page.getByText(text).first().waitFor();
  };
  const shown = (text: string) => page.getByText(text).first().waitFor();
  const button = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

  it("takes two clicks, names a missing permission, and mends what somebody changes at Stripe", async () => {
    const { trpc } = await service.staff(place.organization_id, "admin");
    await open("/connections", "Connect Stripe");
    await page.getByRole("link", { name: "Connect Stripe" }).click();
    await page.getByLabel("Restricted key").fill("sk_test_abcdefgh1234");
    await shown("A restricted key is enough");
    await page.getByLabel("Restricted key").fill("rk_test_abcdefgh1234");
    await shown("the connection is for test mode");
    await page.getByText("Permissions the key needs").click();
    await shown("Webhook Endpoints: Write");
    await checkScreen(page, "connection-key");
    stripe.forbidden_to_write.add("webhook_endpoints");
    stripe.forbidden.add("events");
    await button("Connect").click();
    await shown("The Stripe endpoint could not be created");
    await shown("The API key is missing 2 permissions");
    await shown("Events: Read");
    await checkScreenAgain(page, "connection-key-lacks");
    stripe.forbidden_to_write.clear();
    await button("Try again").click();
    await shown("Waiting for the first message");
    await shown("The API key is missing 1 permission");
    await shown("Created automatically: we_made");
    await shown("Test: live messages are skipped");
    expect(stripe.endpoints).toMatchObject([
      { url: `${origin}/processors/stripe/${place.organization_id}`, status: "enabled" },
    ]);
    await checkScreenAgain(page, "connection-of-key");

    stripe.forbidden.clear();
    Object.assign(stripe.endpoints[0] ?? {}, { status: "disabled" });
    await button("Check again").click();
    await shown("The Stripe endpoint is disabled");
    await checkScreenAgain(page, "connection-disabled");
    await trpc.dashboard.onboarding.dismiss.mutate({ dismissed: true });
    await open("", "The Stripe endpoint is disabled");
    await page.getByRole("link", { name: "The Stripe endpoint is disabled" }).click();
    await button("Repair").click();
    await shown("Waiting for the first message");
    expect(stripe.endpoints[0]?.status).toBe("enabled");

    await page.getByRole("main").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Disconnect…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("link", { name: "Connect Stripe" }).waitFor();
    expect(stripe.endpoints).toEqual([]);
    expect(await page.content()).not.toContain("abcdefgh");
  }, 120_000);

  it("connects within the first steps, too", async () => {
    const { trpc } = await service.staff(place.organization_id, "admin");
    expect(await trpc.dashboard.processors.list.query()).toEqual([]);
    const { affiliate_id } = await addPartner(place.context);
    await click(place.context, { affiliate_id, at: new Date() });
    await open("/get-started", "Connect Stripe");
    await page.getByLabel("Restricted key").waitFor();
    await checkScreenAgain(page, "onboarding-key");
    await page.getByLabel("Restricted key").fill("rk_live_abcdefgh1234");
    await button("Connect").click();
    await expect
      .poll(async () => (await trpc.dashboard.processors.list.query())[0]?.endpoint_state)
      .toBe("active");
    await expect.poll(() => page.getByLabel("Restricted key").count()).toBe(0);
  }, 120_000);
});
