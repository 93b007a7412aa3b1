import { hash } from "node:crypto";
import type { CampaignRow } from "@findersfee/database/rows";

/** Stands for all settings of a campaign: two campaigns with the same version have the same settings. */
export function versionOf(row: CampaignRow): string {
  const entries = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(entries, (_key, value) => (typeof value === "bigint" ? `${value}` : value));
  return hash("sha256", text, "base64url");
}
