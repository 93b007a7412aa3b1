/* The page on which owners and admins choose their emails. */
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { openWatched } from "@findersfee/ui/testing/watched-page";
import { expect, it } from "vitest";
import { makePerson, typePassword } from "./identity/people.ts";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace } from "./program.ts";

describeInBrowser("notifications", (dashboard) => {
  it("are chosen by topic, and stay so", async () => {
    const place = await createPlace(dashboard.database);
    const jane = await makePerson(dashboard.service, place, { name: "Jane Doe", role: "admin" });
    const to = encodeURIComponent(`${place.home}/settings/notifications`);
    const watched = await openWatched(dashboard.browser, `${dashboard.service.url}/sign-in?to=${to}`);
    const { page } = watched;
    await typePassword(page, jane.email);
    await page
      .getByRole("heading", { level: 1, name: "Notifications" })
      .waitFor({ timeout: LOAD_MILLISECONDS });
    const applications = page.getByRole("combobox", { name: "Applications waiting for a decision" });
    await expect.poll(() => applications.inputValue()).toBe("daily");
    expect(await page.getByRole("combobox", { name: "Failed payouts" }).inputValue()).toBe("never");
    await checkScreen(page, "notifications");
    await applications.selectOption("at_once");
    const stored = () => dashboard.database`
      select setting.topic, setting.frequency from notification_settings setting
      join users on users.id = setting.user_id where users.email = ${jane.email}`;
    await expect.poll(stored).toEqual([{ topic: "applications", frequency: "at_once" }]);
    await page.reload();
    await expect.poll(() => applications.inputValue()).toBe("at_once");
    await finish(watched);
  });
});
