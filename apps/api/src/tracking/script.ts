import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { sendTagged, type TaggedBody, tagBody } from "../rest/tagged-body.ts";

/** The script's file name in the packed command, next to the bundled code. */
export const PACKED_SCRIPT = "tracker.js";

/** Fresh for a day, then served stale for up to a week while revalidating. */
const CACHE_CONTROL = "public, max-age=86400, stale-while-revalidate=604800";

/** Serves the tracking script at `/tracker.js`. */
export function serveScript(app: FastifyInstance): void {
  let script: TaggedBody | null = null;
  app.get("/tracker.js", async (request, reply) => {
    script ??= tagBody(await readScript(), "text/javascript; charset=utf-8", CACHE_CONTROL);
    // For pages with a cross-origin isolation policy, and for pages with integrity checks.
    reply.header("cross-origin-resource-policy", "cross-origin").header("access-control-allow-origin", "*");
    reply.header("x-content-type-options", "nosniff");
    return sendTagged(request, reply, script);
  });
}

/** Reads the script's file in a packed command; in the repository, builds it from its sources. */
async function readScript(): Promise<string> {
  const packed = join(dirname(fileURLToPath(import.meta.url)), PACKED_SCRIPT);
  if (existsSync(packed)) return await readFile(packed, "utf8");
  const { buildTracker } = await import("@findersfee/tracker/build");
  return buildTracker();
}
