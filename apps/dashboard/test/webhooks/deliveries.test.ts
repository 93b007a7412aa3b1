import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addAffiliate, addPartner } from "@findersfee/domain/testing/attribution/program";
import { recordEvents } from "@findersfee/domain/testing/subscriber";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "../in-browser.ts";
import { createPlace, MARKUP, type Place, type Visit } from "../program.ts";
import { addLocalEndpoint, startWorkerOf } from "../working.ts";

let worker: Awaited<ReturnType<typeof startWorkerOf>>;

describeInBrowser("deliveries and replays", (dashboard) => {
  beforeAll(async () => {
    await makePartitions(dashboard.database, ATTEMPTS, { ahead: 1 });
    worker = await startWorkerOf(dashboard.service);
  });

  afterAll(() => worker?.stop());

  async function open(place: Place, path: string, ready: string, options: Visit = {}) {
    const opened = await dashboard.open(`/developers${path}`, { at: place, ...options });
    await opened.page.getByText(ready).first().waitFor();
    return opened;
  }

  /** Ends the deliveries of an endpoint that wait for another attempt, as if their attempts were used up. */
  async function giveUp(endpoint_id: string): Promise<number> {
    const rows = await dashboard.database`
      with gone as (delete from pending_deliveries where endpoint_id = ${endpoint_id} returning event_id, attempts)
      update attempts set ended = 'exhausted' from gone
      where attempts.event_id = gone.event_id and attempts.endpoint_id = ${endpoint_id}
        and attempts.number = gone.attempts
      returning attempts.event_id`;
    return rows.length;
  }

  it.runIf(FULL_TESTS)(
    "shows why an endpoint fails while it fails, sends one event again, and replays the rest",
    async () => {
      const place = await createPlace(dashboard.database);
      const receiver = await Receiver.start();
      receiver.answer = (_, response) => response.writeHead(502).end("<h1>upstream is down</h1>");
      const id = await addLocalEndpoint(place, receiver.url());
      const { page, complaints } = await open(place, `/webhooks/${id}`, "No deliveries yet");

      const events = await recordEvents(place.context, 5);
      await page.getByText("502").first().waitFor();
      await page.getByText("Failing since").first().waitFor();
      await page.getByRole("row").nth(1).getByRole("link").click();
      await page.getByText("Only a status from 200 to 299 counts").waitFor();
      await page.getByRole("tab", { name: "Response" }).click();
      await page.getByRole("tabpanel").getByText("upstream is down").waitFor();
      await page.getByRole("tab", { name: "Headers" }).click();
      await page.getByRole("tabpanel").getByText("webhook-signature").waitFor();
      await checkScreen(page, "delivery-headers");

      const { trpc } = await dashboard.service.staff(place.organization_id, "admin");
      const { secret } = await trpc.dashboard.endpoints.secret.query({ id });
      await page.getByRole("tab", { name: "Verify" }).click();
      await page.getByLabel("Secret your receiver uses").waitFor();
      // The request of the attempt that is shown: another one may have been sent since.
      const shown = (await page.getByRole("tabpanel").textContent()) ?? "";
      const received = receiver.received.find(({ id: event_id, headers }) =>
        shown.includes(`${event_id}.${headers["webhook-timestamp"]}.`),
      );
      await page.getByLabel("Secret your receiver uses").fill("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
      await page.getByLabel("Received webhook-signature").fill(received?.headers["webhook-signature"] ?? "");
      await page.getByLabel("Body your receiver checked").fill(received?.body ?? "");
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText("signed with another secret").waitFor();
      await checkScreen(page, "delivery-verify");
      await page.getByLabel("Secret your receiver uses").fill(secret ?? "");
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await expect.poll(() => page.getByText("signed with another secret").count()).toBe(0);
      await page.getByText("The signature matches").waitFor();

      expect(await giveUp(id)).toBe(5);
      receiver.answer = (_, response) => response.writeHead(204).end();
      await page.getByRole("button", { name: "Send now" }).click();
      await page.getByRole("region", { name: "Delivery" }).getByText("204").waitFor();

      await page.getByRole("link", { name: "Replays" }).click();
      await page.getByText("4 deliveries will be sent again").waitFor();
      await checkScreen(page, "replays");
      await page.getByRole("button", { name: "Send 4 again" }).click();
      await page.getByText("Finished").waitFor();
      await page.getByText("No failed deliveries in this period").waitFor();
      await checkScreen(page, "replays-finished");
      await expect.poll(() => new Set(receiver.ids()).size).toBe(events.length);
      expect(complaints).toEqual([]);
      await closePage(page);
      await receiver.close();
    },
  );

  it.runIf(FULL_TESTS)(
    "says what it has sent when the network breaks while it sends all, and sends nothing twice",
    async () => {
      const place = await createPlace(dashboard.database);
      const receiver = await Receiver.start();
      receiver.answer = (_, response) => response.writeHead(500).end();
      const id = await addLocalEndpoint(place, receiver.url());
      const events = await recordEvents(place.context, 1_200);
      const failed = async () => {
        const [row] = await dashboard.database<[{ count: number }]>`
        select count(*)::int as count from attempts where endpoint_id = ${id} and number = 1`;
        return row.count;
      };
      // The first failures hold the others back: probes let few through.
      await dashboard.database`
      insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds, status,
        error_code, error_message, response, ended)
      select organization_id, event_id, endpoint_id, now(), 1, 5, 500, 'http_status', 'answered 500', '', 'exhausted'
      from pending_deliveries where endpoint_id = ${id}
        and event_id not in (select event_id from attempts where endpoint_id = ${id})`;
      await dashboard.database`delete from pending_deliveries where endpoint_id = ${id}`;
      await dashboard.database`delete from endpoint_health where endpoint_id = ${id}`;
      await dashboard.database`
      update attempts set ended = 'exhausted' where endpoint_id = ${id} and ended is null and number = 1`;
      expect(await failed()).toBe(events.length);

      receiver.answer = (_, response) => response.writeHead(204).end();
      const before = receiver.received.length;
      const { page, complaints } = await open(place, `/webhooks/${id}?state=failed`, "500");
      await page.getByRole("button", { name: "Send all failed again…" }).click();
      let requests = 0;
      await page.route("**/dashboard.deliveries.retryMany", async (route) => {
        requests += 1;
        // The second request takes effect, and its answer is lost.
        if (requests !== 2) return await route.continue();
        await route.fetch();
        return await route.abort();
      });
      await page.getByRole("button", { name: "Send deliveries" }).click();
      await page.getByText("1,000 deliveries are on the way. The rest was not sent.").waitFor();
      await checkScreen(page, "deliveries-send-all-stopped");
      await page.getByRole("button", { name: "Send the rest" }).click();
      await page.getByText("1,200 deliveries are on the way").waitFor();
      expect(requests).toBe(3);
      // By the log: first attempts that were under way when `before` was read may arrive after it.
      const resent = async () =>
        await dashboard.database`
      select number, status, count(*)::int as count from attempts where endpoint_id = ${id} and number > 1 group by 1, 2`;
      await expect.poll(resent).toEqual([{ number: 2, status: 204, count: events.length }]);
      expect(new Set(receiver.ids().slice(before)).size).toBe(events.length);
      expect(complaints.filter((complaint) => !complaint.includes("ERR_FAILED"))).toEqual([]);
      await closePage(page);
      await receiver.close();
    },
  );

  it("shows new events as they occur, and sends one to an endpoint", async () => {
    const place = await createPlace(dashboard.database);
    const receiver = await Receiver.start();
    const { page, complaints } = await open(place, "/events", "No events yet");
    await checkScreen(page, "events-empty");
    const { campaign_id } = await addPartner(place.context, {}, { email: "first@example.com" });
    await page.getByText("No endpoint").waitFor();
    const first = await dashboard.database`
      select id from events where organization_id = ${place.organization_id}`.then(([row]) =>
      String(row?.id),
    );
    await addLocalEndpoint(place, receiver.url());
    await addAffiliate(place.context, { campaign_id, email: `${"x".repeat(200)}@example.com` });
    await addAffiliate(place.context, { campaign_id, first_name: MARKUP });
    await page.getByText("1 delivered").nth(1).waitFor();
    // The count follows the rows.
    const title = page.getByRole("heading", { level: 1 }).locator("..");
    await expect.poll(() => title.textContent()).toMatch(/^Events\s*3$/);
    await checkScreen(page, "events");
    await page.getByRole("row").nth(3).getByRole("link").click();
    await page.getByText(`--replay ${first}`).waitFor();
    await page.getByText("No endpoint subscribed to this event").waitFor();
    await page.getByRole("button", { name: "Send to…" }).click();
    await page.getByRole("menuitem", { name: /127\.0\.0\.1/ }).click();
    await page.getByText("The event is on its way").waitFor();
    await page.getByText("Delivered", { exact: true }).waitFor();
    await checkScreen(page, "event");
    expect(receiver.ids()).toContain(first);
    expect(complaints).toEqual([]);
    await closePage(page);
    await receiver.close();
  });

  it.runIf(FULL_TESTS)("follows events only while the tab is visible", async () => {
    const place = await createPlace(dashboard.database);
    const countOf = async () => {
      const { page } = await open(place, "/events", "No events yet");
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      return { page, count: () => asked.filter((url) => url.includes("dashboard.events.list")).length };
    };
    const [visible, hidden] = [await countOf(), await countOf()];
    await expect.poll(hidden.count).toBeGreaterThan(0);
    await hidden.page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));`);
    const [seen, before] = [visible.count(), hidden.count()];
    await expect.poll(visible.count).toBeGreaterThan(seen + 3);
    // One may have been on its way.
    expect(hidden.count() - before).toBeLessThanOrEqual(1);
    await closePage(visible.page);
    await closePage(hidden.page);
  });

  it("shows viewers replays without the means to start one", async () => {
    const place = await createPlace(dashboard.database);
    const id = await addLocalEndpoint(place, "http://127.0.0.1:4242/");
    const { page, complaints } = await open(place, `/webhooks/${id}/replays`, "None yet", { role: "viewer" });
    await expect.poll(() => page.getByRole("button", { name: /replay|again/i }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });
});
