import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Continuity } from "@findersfee/domain/continuity/continuity";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";

/** The memory of another database cluster. */
const MEMORY = {
  system_identifier: "7301234567890123456",
  timeline: 1,
  position: "1",
  events: [],
  accepted_id: null,
  seen_at: new Date().toISOString(),
};

describeInBrowser("a database that went back", (dashboard) => {
  it("says so under Health", async () => {
    const folder = await mkdtemp(join(tmpdir(), "findersfee-continuity-"));
    await writeFile(join(folder, "history.json"), JSON.stringify(MEMORY));
    const watched = await dashboard.openInTab("/settings/health");
    const log = { info: () => {}, error: () => {} };
    const continuity = new Continuity(dashboard.database, { log, folder, name: "findersfee test" });
    continuity.guard(dashboard.database, { reads: true });
    await continuity.start();
    const { page } = watched;
    await page.reload({ waitUntil: "networkidle" });
    await page.getByText("The database went back to an older state").waitFor();
    expect(await page.getByText(MEMORY.system_identifier).count()).toBe(1);
    await checkScreen(page, "health-stepped-back");
    await finish(watched);
    await continuity.close();
    await rm(folder, { recursive: true });
  });
});
