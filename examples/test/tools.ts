import { join } from "node:path";
import type { Tool } from "./tool.ts";

export const CURL: Tool = { command: "curl", parameters: ["--version"], minimum: [7, 0] };
export const OPENSSL: Tool = { command: "openssl", parameters: ["version"], minimum: [1, 1] };
export const PYTHON: Tool = { command: "python3", parameters: ["--version"], minimum: [3, 9] };
export const PHP: Tool = { command: "php", parameters: ["--version"], minimum: [8, 1] };
export const GO: Tool = { command: "go", parameters: ["version"], minimum: [1, 18] };
export const RUBY: Tool = { command: "ruby", parameters: ["--version"], minimum: [2, 7] };

/** Go's compiler with a cache below `folder`, unless one is configured, and without network access. */
export function goEnvironment(folder: string): NodeJS.ProcessEnv {
  return { GOCACHE: join(folder, "go-cache"), ...process.env, GOTOOLCHAIN: "local", GOPROXY: "off" };
}
