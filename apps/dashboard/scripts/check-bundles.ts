import { BundleSizes, type Gate, isFont, isStyle } from "@findersfee/ui/build/bundle-sizes";

/** The document of each page: of people without a session, and of all others. */
const ENTRANCE = "entrance.html";
const APPLICATION = "index.html";
/** Around the pages of an organization. */
const SHELL = "src/routes/organization-frame.tsx";
const OVERLAYS = "../../packages/ui/src/overlays/overlays.tsx";

/**
 * The most that a first visit of a page may load, in an organization and outside; `docs/decisions.md` has the reasons. The route of
 * each page adds 0.1 kB to all of them.
 */
const PAGE_LIMIT = 155;
const ENTRANCE_LIMIT = 102.5;

/** Of code that the first touch of a menu loads. */
const OVERLAY_LIMIT = 37.4;
const LIST_WITH_OVERLAYS_LIMIT = 188.5;
const STYLE_LIMIT = 25;
const FONT_LIMIT = 60;

/** Measures a build against its limits. */
export async function measureBundles(folder: string): Promise<Gate[]> {
  const sizes = await BundleSizes.read(folder);
  const gates: Gate[] = [];
  for (const page of sizes.pages) {
    const limit = isEntrance(page) ? ENTRANCE_LIMIT : PAGE_LIMIT;
    gates.push({ name: page, size: await sizes.sizeOf(sizes.scriptsOf(chunksOf(page))), limit });
  }
  const list = "src/attribution/list-page.tsx";
  const alone = sizes.scriptsOf(chunksOf(list));
  const together = sizes.scriptsOf([...chunksOf(list), OVERLAYS]);
  const added = [...together].filter((file) => !alone.has(file));
  gates.push(
    { name: "overlays", size: await sizes.sizeOf(added), limit: OVERLAY_LIMIT },
    { name: `${list} with overlays`, size: await sizes.sizeOf(together), limit: LIST_WITH_OVERLAYS_LIMIT },
    { name: "styles", size: await sizes.sizeOfAssets(isStyle), limit: STYLE_LIMIT },
    { name: "font", size: await sizes.sizeOfAssets(isFont), limit: FONT_LIMIT },
  );
  return gates;
}

const isEntrance = (page: string): boolean => page.startsWith("src/identity/entrance/");

function chunksOf(page: string): string[] {
  if (isEntrance(page)) return [ENTRANCE, page];
  return page.startsWith("src/organizations/") ? [APPLICATION, page] : [APPLICATION, SHELL, page];
}
