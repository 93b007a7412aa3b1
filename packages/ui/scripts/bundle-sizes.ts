import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";

/** An entry of Vite's manifest. */
interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

/** A limit of compressed bytes, in thousands. */
export interface Gate {
  name: string;
  size: number;
  limit: number;
}

/** The compressed sizes of a build, in thousands of bytes. */
export class BundleSizes {
  readonly #folder: string;
  readonly #manifest: Record<string, Chunk>;

  private constructor(folder: string, manifest: Record<string, Chunk>) {
    this.#folder = folder;
    this.#manifest = manifest;
  }

  static async read(folder: string): Promise<BundleSizes> {
    return new BundleSizes(folder, JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8")));
  }

  /** The sources of pages: `src/attribution/list-page.tsx`. */
  get pages(): string[] {
    return Object.keys(this.#manifest).filter((name) => /^src\/.*-page\.tsx$/.test(name));
  }

  /** The files of some chunks, and of all that they import at once. */
  scriptsOf(names: readonly string[]): Set<string> {
    const files = new Set<string>();
    const visit = (name: string): void => {
      const chunk = this.#manifest[name];
      if (chunk === undefined) throw new Error(`the build has no chunk ${name}`);
      if (files.has(chunk.file)) return;
      files.add(chunk.file);
      for (const imported of chunk.imports ?? []) visit(imported);
    };
    for (const name of names) visit(name);
    return files;
  }

  async sizeOf(files: Iterable<string>): Promise<number> {
    const sizes = await Promise.all([...files].map((name) => compressedSize(join(this.#folder, name))));
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
  }

  async sizeOfAssets(isOne: (name: string) => boolean): Promise<number> {
    const assets = (await readdir(join(this.#folder, "assets"))).map((name) => `assets/${name}`);
    return await this.sizeOf(assets.filter(isOne));
  }
}

export const isStyle = (name: string): boolean => name.endsWith(".css");

export const isFont = (name: string): boolean => name.endsWith(".woff2");

/** Fonts are compressed already. */
async function compressedSize(file: string): Promise<number> {
  const content = await readFile(file);
  return isFont(file) ? content.length : gzipSync(content, { level: constants.Z_BEST_COMPRESSION }).length;
}
