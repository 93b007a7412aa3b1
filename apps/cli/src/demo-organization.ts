import { randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findApiKeyByHash } from "@findersfee/database/api-keys";
import type { Database } from "@findersfee/database/connect";
import { readKeptFile } from "@findersfee/database/kept-file";
import { hashToken } from "@findersfee/domain/api-keys/token";
import { createFirstOrganization } from "@findersfee/domain/organizations/create";
import { z } from "zod";
import type { Config } from "./config.ts";

const demoSchema = z.object({
  organization_id: z.string(),
  api_key: z.string(),
  publishable_key: z.string(),
});

/** The demo organization and its keys, as the data folder keeps them. */
export type Demo = z.output<typeof demoSchema>;

const DEMO = { name: "Demo", currency: "USD", subscription_status: "active" } as const;

/**
 * Makes the demo organization when the database has no organization yet. Later starts find its keys in
 * the data folder; null when they are not there or not valid any more.
 */
export async function prepareDemo(config: Config, database: Database): Promise<Demo | null> {
  const file = join(config.DATA_DIR, "demo.json");
  const created = await createFirstOrganization(database, DEMO, (demo) => writeDemo(file, demo));
  return created ?? (await findDemo(file, database));
}

async function writeDemo(file: string, demo: Demo): Promise<void> {
  // What is in it is closed to others file by file: an embedded Postgres may have to pass through as another user.
  await mkdir(join(file, ".."), { recursive: true, mode: 0o711 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(draft, file);
}

async function findDemo(file: string, database: Database): Promise<Demo | null> {
  const kept = await readKeptFile(file);
  if (kept === null) return null;
  const demo = demoSchema.parse(JSON.parse(kept));
  // The data folder may have served another database before, and keys can be revoked.
  return (await findApiKeyByHash(database, hashToken(demo.api_key))) === null ? null : demo;
}
