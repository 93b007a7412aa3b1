import { BundleSizes, type Gate, isStyle } from "@findersfee/ui/build/bundle-sizes";

/** Most that a first visit of a page may load, in kB: before the sign-in, and after it. */
const ENTRANCE_LIMIT = 98;
const PAGE_LIMIT = 110;
const STYLE_LIMIT = 25;

const LANGUAGES = ["src/texts/en.ts", "src/texts/de.ts"];

/** The folders of pages without a session. */
const ENTRANCE = ["src/sign-in/"];

/** Around all other pages. */
const PROGRAM_FRAME = "src/frame/program-frame.tsx";

/** Measures a build against its limits: each page with the larger of the languages. */
export async function measureBundles(folder: string): Promise<Gate[]> {
  const sizes = await BundleSizes.read(folder);
  const gates: Gate[] = [];
  for (const page of sizes.pages) {
    const is_entrance = ENTRANCE.some((beginning) => page.startsWith(beginning));
    const files = ["index.html", page, ...(is_entrance ? [] : [PROGRAM_FRAME])];
    const sums = LANGUAGES.map((texts) => sizes.sizeOf(sizes.scriptsOf([...files, texts])));
    const limit = is_entrance ? ENTRANCE_LIMIT : PAGE_LIMIT;
    gates.push({ name: page, size: Math.max(...(await Promise.all(sums))), limit });
  }
  gates.push({ name: "styles", size: await sizes.sizeOfAssets(isStyle), limit: STYLE_LIMIT });
  return gates;
}
