import { readFile } from "node:fs/promises";
import { BundleSizes, type Gate, isStyle } from "@findersfee/ui/build/bundle-sizes";

/** Most that a first visit of a page may load, in kB: before the sign-in, and after it. */
const ENTRANCE_LIMIT = 98.5;
const PAGE_LIMIT = 112;
const STYLE_LIMIT = 25;

const LANGUAGES = ["en", "de"];

/** The folders of pages without a session. */
const ENTRANCE = ["src/identity/sign-in/", "src/affiliates/join/"];

/** Around all other pages. */
const SHELL = "src/shell/program-shell.tsx";

/** Measures a build against its limits: each page with the larger of the languages. */
export async function measureBundles(folder: string): Promise<Gate[]> {
  const sizes = await BundleSizes.read(folder);
  const subjects_of = await readSubjects();
  const gates: Gate[] = [];
  for (const page of sizes.pages) {
    const is_entrance = ENTRANCE.some((beginning) => page.startsWith(beginning));
    const around = is_entrance ? ["index.html"] : ["index.html", SHELL];
    const subjects = subjects_of.get(page) ?? [];
    const sums = LANGUAGES.map((language) => {
      const texts = [`${language}-entrance`, ...subjects.map((subject) => `${language}/${subject}`)];
      const names = texts.map((name) => `src/texts/${name}.ts`);
      return sizes.sizeOf(sizes.scriptsOf([...around, page, ...names]));
    });
    const limit = is_entrance ? ENTRANCE_LIMIT : PAGE_LIMIT;
    gates.push({ name: page, size: Math.max(...(await Promise.all(sums))), limit });
  }
  gates.push({ name: "styles", size: await sizes.sizeOfAssets(isStyle), limit: STYLE_LIMIT });
  return gates;
}

const SCREEN = /import\("\.\/(?<page>[^"]+)"\)[^[]*?states: [^}]*?texts: \[(?<subjects>[^\]]*)\]/g;

/** The subjects of each page, as the list of screens has them. */
async function readSubjects(): Promise<Map<string, string[]>> {
  const source = await readFile(`${import.meta.dirname}/../src/screens.ts`, "utf8");
  return new Map(
    [...source.matchAll(SCREEN)].map(({ groups }) => [
      `src/${groups?.page}`,
      [...(groups?.subjects ?? "").matchAll(/\w+/g)].map(([subject]) => subject),
    ]),
  );
}
