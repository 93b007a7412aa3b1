import type { ClickRow } from "@findersfee/database/clicks";
import { expect, it } from "vitest";
import { newId } from "../ids.ts";
import { createRecentClicks, type RecentClicks } from "./recent-clicks.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const organization_id = newId(NOON);
const affiliate_id = newId(NOON);

function clickOf(visitor: number, clicked_at = NOON): ClickRow {
  return {
    organization_id,
    id: newId(clicked_at),
    affiliate_id,
    code: "jane",
    visitor_hash: `${visitor}`,
    landing_url: null,
    referrer: null,
    clicked_at,
  };
}

async function write(recent: RecentClicks, click: ClickRow): Promise<string | undefined> {
  return (await recent.writeOrShare(click, async () => true))?.id;
}

function isKept(recent: RecentClicks, { id, ...click }: ClickRow): boolean {
  return recent.keptBy({ ...click, id: newId(NOON) }, { previous_click_id: id, click_id: null })?.id === id;
}

it("remembers 50,000 clicks, however many a visitor has, and forgets the oldest visitors first", async () => {
  const recent = createRecentClicks();
  const clicks: ClickRow[] = [];
  for (let number = 0; number < 60_000; number++) {
    const click = clickOf(Math.floor(number / 4));
    clicks.push(click);
    await write(recent, click);
  }
  expect(clicks.filter((click) => isKept(recent, click))).toEqual(clicks.slice(10_000));
});

it("begins anew in the next hour, and gives places of failed clicks back", async () => {
  const recent = createRecentClicks();
  for (let time = 0; time < 20; time++) {
    await expect(recent.writeOrShare(clickOf(1), () => Promise.reject(new Error("down")))).rejects.toThrow(
      "down",
    );
    expect(() =>
      recent.writeOrShare(clickOf(1), () => {
        throw new Error("refused");
      }),
    ).toThrow("refused");
  }
  const ids = new Set<string | undefined>();
  for (let time = 0; time < 20; time++) ids.add(await write(recent, clickOf(1)));
  expect(ids.size).toBe(10);
  const later = clickOf(1, new Date(NOON.getTime() + 3_600_000));
  expect(await write(recent, later)).toBe(later.id);
});
