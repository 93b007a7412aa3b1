/* Writes the npm package `findersfee` into `dist`, ready for `npm pack` and `npm publish`. */
import { buildPackage } from "./package.ts";

await buildPackage(new URL("../dist/", import.meta.url));
