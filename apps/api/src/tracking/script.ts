import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { sendTagged, type TaggedBody, tagBody } from "../rest/tagged-body.ts";

/** The scripts for organizations' pages, which a packed command has next to the bundled code. */
export const packed_scripts = ["tracker.js", "discount.js"] as const;

type ScriptName = (typeof packed_scripts)[number];

/** Fresh for a day, then served stale for up to a week while revalidating. */
const CACHE_CONTROL = "public, max-age=86400, stale-while-revalidate=604800";

/** Serves the tracking script at `/tracker.js`, and the one for discounts at `/discount.js`. */
export function serveScripts(app: FastifyInstance): void {
  for (const name of packed_scripts) serveScript(app, name);
}

function serveScript(app: FastifyInstance, name: ScriptName): void {
  let script: TaggedBody | null = null;
  app.get(`/${name}`, async (request, reply) => {
    script ??= tagBody(await readScript(name), "text/javascript; charset=utf-8", CACHE_CONTROL);
    // For pages with a cross-origin isolation policy, and for pages with integrity checks.
    reply.header("cross-origin-resource-policy", "cross-origin").header("access-control-allow-origin", "*");
    reply.header("x-content-type-options", "nosniff");
    return sendTagged(request, reply, script);
  });
}

/** Reads the script's file in a packed command; in the repository, builds it from its sources. */
async function readScript(name: ScriptName): Promise<string> {
  const packed = join(dirname(fileURLToPath(import.meta.url)), name);
  if (existsSync(packed)) return await readFile(packed, "utf8");
  const { buildScript } = await import("@findersfee/tracker/build");
  return buildScript(name);
}
