import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { expect, it } from "vitest";
import { newId } from "../ids.ts";
import {
  createWriteOrShare,
  identifyClick,
  type NewClick,
  storedClick,
  type WriteOrShare,
} from "./recent-clicks.ts";
import { hashVisitor } from "./visitor.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const organization_id = newId(NOON);
const affiliate_id = newId(NOON);

function clickOf(visitor: number, changes: Partial<ClickRow> = {}): NewClick {
  return identifyClick({
    organization_id,
    affiliate_id,
    code: "jane",
    visitor_hash: hashVisitor("key", { address: `${visitor}`, user_agent: "Firefox" }, NOON),
    network_hash: null,
    landing_url: null,
    referrer: null,
    sub_id: null,
    country: null,
    clicked_at: NOON,
    ...changes,
  });
}

async function write(writeOrShare: WriteOrShare, click: NewClick): Promise<string | undefined> {
  return (await writeOrShare(click, async () => true))?.id;
}

const LATER = new Date(NOON.getTime() + 3_600_000);

it("creates ids that only their visitor can reuse, on their link and in their hour", () => {
  const click = clickOf(1);
  const isKept = (other: NewClick, id: string) =>
    storedClick(other, { previous_click_id: id, click_id: null })?.id === click.id;
  expect(isKept(clickOf(1), click.id)).toBe(true);
  expect(isKept(clickOf(1), click.id.toUpperCase())).toBe(true);
  expect(storedClick(clickOf(1), { previous_click_id: "no id", click_id: click.id })).toEqual({
    id: click.id,
    clicked_at: NOON,
  });
  const others = [
    clickOf(2),
    clickOf(1, { code: "enaj" }),
    clickOf(1, { affiliate_id: newId(NOON) }),
    clickOf(1, { clicked_at: LATER }),
  ];
  for (const other of others) expect(isKept(other, click.id)).toBe(false);
  for (const id of [newId(NOON), "", `x${click.id}`, click.id.slice(1)])
    expect(isKept(clickOf(1), id)).toBe(false);
  expect(storedClick(click, { previous_click_id: null, click_id: null })).toBeNull();
});

it("creates a new id for each click of a visitor", () => {
  expect(new Set(Array.from({ length: 10_000 }, () => clickOf(1).id)).size).toBe(10_000);
});

it("writes ten clicks of each visitor and link in an hour, and then shares the last one", async () => {
  const writeOrShare = createWriteOrShare();
  const written: ClickRow[] = [];
  for (let time = 0; time < 20; time++) {
    for (const code of ["jane", "john"]) {
      for (const visitor of [1, 2, 3]) {
        const click = clickOf(visitor, { code });
        const recorded = await writeOrShare(click, async () => {
          written.push(click);
          return true;
        });
        if (time < 10) expect(recorded?.id).toBe(click.id);
      }
    }
  }
  expect(written).toHaveLength(60);
  const last = written.findLast(({ code }) => code === "jane");
  expect(await write(writeOrShare, clickOf(3))).toBe(last?.id);
  const later = clickOf(3, { clicked_at: LATER });
  expect(await write(writeOrShare, later)).toBe(later.id);
});

it("releases the slots of failed and rejected clicks, including the last one", async () => {
  const writeOrShare = createWriteOrShare();
  const failing = [
    () => Promise.reject(new Error("down")),
    () => {
      throw new Error("refused");
    },
  ];
  for (let time = 0; time < 9; time++) await write(writeOrShare, clickOf(1));
  for (const fail of [...failing, ...failing])
    await expect(writeOrShare(clickOf(1), fail)).rejects.toThrow(/down|refused/);
  expect(await writeOrShare(clickOf(1), async () => false)).toBeNull();
  const tenth = clickOf(1);
  expect(await write(writeOrShare, tenth)).toBe(tenth.id);
  expect(await write(writeOrShare, clickOf(1))).toBe(tenth.id);
});

it("gives visitors who share a cell their own clicks", async () => {
  const writeOrShare = createWriteOrShare();
  const hash = (cell: string, fingerprint: string) => `00000001${cell}${fingerprint}00000000`;
  const first = { visitor_hash: hash("00000001", "00000001") };
  const second = { visitor_hash: hash("00000001", "00000002") };
  for (let time = 0; time < 12; time++) await write(writeOrShare, clickOf(1, first));
  const own = clickOf(1, second);
  expect(await write(writeOrShare, own)).toBe(own.id);
});

it("does not release a slot of another visitor who took over the cell during a failed click", async () => {
  const writeOrShare = createWriteOrShare();
  const hash = (fingerprint: string) => `0000000100000001${fingerprint}00000000`;
  const failing = deferred();
  const failed = writeOrShare(clickOf(1, { visitor_hash: hash("00000001") }), () => failing.promise);
  for (let time = 0; time < 10; time++)
    await write(writeOrShare, clickOf(1, { visitor_hash: hash("00000002") }));
  failing.resolve(false);
  expect(await failed).toBeNull();
  const eleventh = clickOf(1, { visitor_hash: hash("00000002") });
  expect(await write(writeOrShare, eleventh)).not.toBe(eleventh.id);
});

function deferred(): { promise: Promise<boolean>; resolve: (value: boolean) => void } {
  let resolve: (value: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
