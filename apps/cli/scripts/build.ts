/* Writes the npm package `findersfee` into `dist`, or another folder, ready for `npm pack` and `npm publish`. */
import { pathToFileURL } from "node:url";
import { buildPackage } from "./package.ts";

const [folder] = process.argv.slice(2);
await buildPackage(folder === undefined ? new URL("../dist/", import.meta.url) : pathToFileURL(`${folder}/`));
