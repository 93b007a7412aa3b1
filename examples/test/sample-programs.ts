import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Tool } from "./tool.ts";
import { CURL, GO, goEnvironment, PHP, PYTHON, RUBY } from "./tools.ts";

const SDK = join(import.meta.dirname, "../../packages/sdk");

/** Runs TypeScript, including the SDK's sources. */
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** How to run the samples of one language: each is saved, then all are prepared together. */
export interface SampleRunner {
  /** Null if Node runs them directly. */
  tool: Tool | null;
  /** Where to save the sample of an operation, below the language's folder. */
  file(operation: string): string;
  prepare?(folder: string): Promise<void>;
  command(folder: string, operation: string): string[];
}

/** Runners by the sample's label in the document. */
export const SAMPLE_RUNNERS: Record<string, SampleRunner> = {
  curl: interpreted(CURL, "bash", "sh"),
  TypeScript: {
    tool: null,
    file: (operation) => `${operation}.mts`,
    prepare: linkSdk,
    command: (folder, operation) => [process.execPath, "--import", TSX, join(folder, `${operation}.mts`)],
  },
  Python: interpreted(PYTHON, "python3", "py"),
  PHP: interpreted(PHP, "php", "php"),
  Go: {
    tool: GO,
    file: (operation) => join(operation, "main.go"),
    prepare: buildAll,
    command: (folder, operation) => [join(folder, "bin", operation)],
  },
  Ruby: interpreted(RUBY, "ruby", "rb"),
};

function interpreted(tool: Tool, interpreter: string, extension: string): SampleRunner {
  return {
    tool,
    file: (operation) => `${operation}.${extension}`,
    command: (folder, operation) => [interpreter, join(folder, `${operation}.${extension}`)],
  };
}

async function linkSdk(folder: string): Promise<void> {
  await mkdir(join(folder, "node_modules/@findersfee"), { recursive: true });
  await symlink(SDK, join(folder, "node_modules/@findersfee/sdk"), "dir");
  await symlink(
    join(import.meta.dirname, "../../node_modules/@types"),
    join(folder, "node_modules/@types"),
    "dir",
  );
}

/** Building all programs at once takes little longer than building one. */
async function buildAll(folder: string): Promise<void> {
  await writeFile(join(folder, "go.mod"), "module samples\n\ngo 1.18\n");
  await mkdir(join(folder, "bin"));
  const options = { cwd: folder, env: goEnvironment(folder) };
  await promisify(execFile)("go", ["build", "-o", `bin/`, "./..."], options);
}
