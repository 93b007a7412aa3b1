/*
 * Writes the npm package `findersfee` into `dist`, which `npm pack` and `npm publish` take as it is.
 */
import { buildPackage } from "./package.ts";

await buildPackage(new URL("../dist/", import.meta.url));
