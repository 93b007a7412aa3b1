import { join, relative } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin, UserConfig } from "vite";

/** A running service, which answers the requests of an application that Vite serves. */
const SERVICE = "http://127.0.0.1:3000";

export interface ApplicationConfig {
  /** Where the application's vite.config.ts is. */
  folder: string;
  /** Its documents. */
  input: string[];
  /** Modules that most pages share, in files of their own. */
  groups: { name: string; test: RegExp; minShareCount?: number }[];
  /** The path of the application at the service, and the paths below it that it sends requests to. */
  service: { path: string; served: readonly string[] };
}

/** Vite's settings for an application that the API serves. */
export function applicationConfig({ folder, input, groups, service }: ApplicationConfig): UserConfig {
  const preloads = new Preloads();
  return {
    // The server says where the application is, by <base>.
    base: "./",
    plugins: [react(), tailwindcss(), plainIcons(), listModules(folder), preloads.plugin],
    build: {
      manifest: true,
      // Each file names those that it may load later: with the names of their modules, a first visit loads 1.5 kB more, and with
      // hashes of 8 letters 0.2 kB. The manifest has them.
      rolldownOptions: { input, output: { codeSplitting: { groups }, chunkFileNames: "assets/[hash:7].js" } },
      // Inlined fonts and images would need `data:` in the content security policy.
      assetsInlineLimit: 0,
      // The polyfill is an inline script.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, needed, { hostId, hostType }) =>
          hostType === "js" ? preloads.of(hostId, needed) : needed,
      },
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      emptyOutDir: true,
    },
    server: {
      proxy: Object.fromEntries(service.served.map((path) => [path, `${SERVICE}${service.path}`])),
    },
  };
}

const PLAIN_ICON = join(import.meta.dirname, "../src/components/plain-icon.ts");
const LUCIDE_ICON = /import createLucideIcon from '.*'/;

/** The parts of an icon's module that `PLAIN_ICON` does not read, and those that it reads in a shorter form. */
const PLAINER: [RegExp, string][] = [
  [/,\s*key: "\w+"/g, ""],
  [/\bname: "[\w-]+",/, ""],
  [/\bsize: 24,/, ""],
  [/,\s*aliases: \[[^\]]*\]/, ""],
  [/^__iconData\.node;$/m, ""],
  [/\[\s*"path",\s*\{\s*d: ("[^"]*")\s*\}\s*\]/g, "$1"],
];

/**
 * Renders Lucide's icons by `PLAIN_ICON`. Their own component has options that nothing here sets; without these, and with plainer
 * icons, a first visit loads 2.7 kB less.
 */
function plainIcons(): Plugin {
  return {
    name: "plain-icons",
    enforce: "pre",
    transform(code, id) {
      if (!/lucide-react[^?]*\/icons\//.test(id)) return null;
      const plain = code.replace(
        LUCIDE_ICON,
        `import { createPlainIcon as createLucideIcon } from ${JSON.stringify(PLAIN_ICON)}`,
      );
      return { code: PLAINER.reduce((text, [from, to]) => text.replace(from, to), plain), map: null };
    },
  };
}

/**
 * The files that a module loads together with one that it imports later: without those that have brought it, and in one order for
 * all. A first visit loads a list of them for each page.
 */
class Preloads {
  readonly #imports = new Map<string, readonly string[]>();

  /** Learns what each file imports at once. */
  readonly plugin: Plugin = {
    name: "preloads",
    enforce: "pre",
    generateBundle: (_options, bundle) => {
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") this.#imports.set(part.fileName, part.imports);
      }
    },
  };

  of(host: string, needed: readonly string[]): string[] {
    const present = new Set<string>();
    const visit = (file: string): void => {
      if (present.has(file)) return;
      present.add(file);
      for (const imported of this.#imports.get(file) ?? []) visit(imported);
    };
    visit(host);
    return needed.filter((file) => !present.has(file)).sort();
  }
}

/** Lists the files that the build contains, for the notices of their licenses: `.vite/modules.json`. */
function listModules(folder: string): Plugin {
  return {
    name: "list-modules",
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((part) =>
        part.type === "chunk" ? part.moduleIds : part.originalFileNames,
      );
      const modules = files.map((file) => relative(folder, file.split("?")[0] ?? "")).sort();
      this.emitFile({
        type: "asset",
        fileName: ".vite/modules.json",
        source: JSON.stringify([...new Set(modules)]),
      });
    },
  };
}
