import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";

/** An entry of Vite's manifest. */
interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

type Manifest = Record<string, Chunk>;

/** A limit of compressed bytes, in thousands. */
export interface Gate {
  name: string;
  size: number;
  limit: number;
}

/** The document of each page: of people without a session, and of all others. */
const ENTRANCE = "entrance.html";
const APPLICATION = "index.html";
/** Around the pages of an organization. */
const FRAME = "src/frame/organization-page.tsx";
const OVERLAYS = "../../packages/ui/src/overlays/overlays.tsx";

/**
 * The most that a first visit of a page may load, in an organization and outside; `docs/decisions.md` has the reasons. The route of
 * each page adds 0.1 kB to all of them.
 */
const PAGE_LIMIT = 151;
const ENTRANCE_LIMIT = 110;
/** Pages with a reason to load more. */
const LARGER: Record<string, number> = {
  // A list, a delivery beside it, and the forms of its endpoint.
  "src/deliveries/deliveries-page.tsx": 152,
};

/** Of code that the first touch of a menu loads. */
const OVERLAY_LIMIT = 38.4;
const LIST_WITH_OVERLAYS_LIMIT = 188;
const STYLE_LIMIT = 25;
const FONT_LIMIT = 60;

/** Measures a build against its limits. */
export async function measureBundles(folder: string): Promise<Gate[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8"));
  const sizeOf = async (names: Iterable<string>) => {
    const sizes = await Promise.all([...names].map((name) => compressedSize(join(folder, name))));
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
  };
  const gates: Gate[] = [];
  for (const page of Object.keys(manifest).filter((name) => /^src\/.*-page\.tsx$/.test(name))) {
    const limit = LARGER[page] ?? (isEntrance(page) ? ENTRANCE_LIMIT : PAGE_LIMIT);
    gates.push({ name: page, size: await sizeOf(scriptsOf(manifest, chunksOf(page))), limit });
  }
  const list = "src/payments/list-page.tsx";
  const [alone = new Set<string>(), together = new Set<string>()] = [
    chunksOf(list),
    [...chunksOf(list), OVERLAYS],
  ].map((names) => scriptsOf(manifest, names));
  const added = [...together].filter((file) => !alone.has(file));
  gates.push({ name: "overlays", size: await sizeOf(added), limit: OVERLAY_LIMIT });
  gates.push({
    name: `${list} with overlays`,
    size: await sizeOf(together),
    limit: LIST_WITH_OVERLAYS_LIMIT,
  });
  const assets = (await readdir(join(folder, "assets"))).map((name) => `assets/${name}`);
  const styles = assets.filter((name) => name.endsWith(".css"));
  gates.push({ name: "styles", size: await sizeOf(styles), limit: STYLE_LIMIT });
  gates.push({ name: "font", size: await sizeOf(assets.filter(isFont)), limit: FONT_LIMIT });
  return gates;
}

const isEntrance = (page: string): boolean => page.startsWith("src/entrance/");

function chunksOf(page: string): string[] {
  if (isEntrance(page)) return [ENTRANCE, page];
  return page.startsWith("src/organizations/") ? [APPLICATION, page] : [APPLICATION, FRAME, page];
}

/** The files of some chunks, and of all that they import at once. */
function scriptsOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no chunk ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of names) visit(name);
  return files;
}

const isFont = (name: string): boolean => name.endsWith(".woff2");

/** Fonts are compressed already. */
async function compressedSize(file: string): Promise<number> {
  const content = await readFile(file);
  return isFont(file) ? content.length : gzipSync(content, { level: constants.Z_BEST_COMPRESSION }).length;
}
