import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSnippet } from "./build.ts";

/** Writes the snippet to the contract, for the dashboard. `docs/tracking.md` has it, too. */
const path = fileURLToPath(new URL("../../contract/src/tracking/snippet.ts", import.meta.url));
writeFileSync(
  path,
  `/**
 * The element before the tracking script's in an organization's pages, the same for all. Built from
 * \`packages/tracker/src/snippet.ts\` by \`pnpm --filter @findersfee/tracker snippet\`.
 */
export const TRACKING_SNIPPET =
  ${JSON.stringify(`<script>\n${buildSnippet()}\n</script>`)};
`,
);
