/*
 * Writes the folder that is published, `dist`: `npm pack ./dist` makes the package of it.
 */
import { fileURLToPath } from "node:url";
import { buildPackage } from "./build/package.ts";

await buildPackage(fileURLToPath(new URL("../dist", import.meta.url)));
