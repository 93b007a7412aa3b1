import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { sendTagged, type TaggedBody, tagBody } from "../tagged-body.ts";

/** What the script is called where the command is packed: a file beside the bundled code. */
export const PACKED_SCRIPT = "tracker.js";

/** Kept for a day without asking, and for a week more while the newer one is fetched. */
const CACHE_CONTROL = "public, max-age=86400, stale-while-revalidate=604800";

/** Serves the script that pages track with at `/tracker.js`. */
export function serveScript(app: FastifyInstance): void {
  let script: TaggedBody | null = null;
  app.get("/tracker.js", async (request, reply) => {
    script ??= tagBody(await readScript(), "text/javascript; charset=utf-8", CACHE_CONTROL);
    // For pages that load nothing from elsewhere that does not agree, and for those that check what they load.
    reply.header("cross-origin-resource-policy", "cross-origin").header("access-control-allow-origin", "*");
    reply.header("x-content-type-options", "nosniff");
    return sendTagged(request, reply, script);
  });
}

/** From its file where the command is packed; in the repository it is built from its sources. */
async function readScript(): Promise<string> {
  const packed = join(dirname(fileURLToPath(import.meta.url)), PACKED_SCRIPT);
  if (existsSync(packed)) return await readFile(packed, "utf8");
  const { buildTracker } = await import("@findersfee/tracker/build");
  return buildTracker();
}
