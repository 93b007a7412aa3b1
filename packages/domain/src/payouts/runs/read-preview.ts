import { findSettings } from "@findersfee/database/organizations/settings";
import {
  capturePreview,
  findPreview,
  finishPreview,
  lockPreview,
  type StoredPreviewRow,
} from "@findersfee/database/payouts/previews";
import { transaction } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { loadRunConversion } from "./rates.ts";

/** Fewer payees are classified again for each request, within a few milliseconds. */
const MANY = 5_000;
/** The most of the time that computing takes while people look at many payees. */
const COMPUTING_PART = 1 / 10;

/**
 * Reads the sums of the preview of the next run, and captures the preview first if it may be outdated: a program with few
 * payees always sees the current one; one with 100,000 sees one that is at most some seconds old.
 */
export async function readPreview(
  { database, organization }: Pick<Context, "database" | "organization">,
  now: Date = new Date(),
): Promise<StoredPreviewRow> {
  const stored = await findPreview(database, organization.id);
  if (stored !== null && isFresh(stored, now)) return stored;
  await transaction(database, async (sql) => {
    const locked = await lockPreview(sql, organization.id);
    // Another request captured it while this one waited for the lock.
    if (locked.captured_at > now) return;
    const settings = await findSettings(sql, organization.id);
    const captured_at = new Date();
    const run = { settings, affiliate_ids: null, cutoff_at: captured_at };
    const conversion = await loadRunConversion(sql, organization.id, run);
    await capturePreview(sql, organization.id, { cutoff_at: captured_at, ...conversion });
    const milliseconds = Date.now() - captured_at.getTime();
    await finishPreview(sql, organization.id, { ...conversion, captured_at, milliseconds });
  });
  const captured = await findPreview(database, organization.id);
  if (captured === null) throw new Error("a captured preview disappeared");
  return captured;
}

function isFresh({ captured_at, milliseconds, payees }: StoredPreviewRow, now: Date): boolean {
  return payees >= MANY && now.getTime() - captured_at.getTime() < milliseconds / COMPUTING_PART;
}
