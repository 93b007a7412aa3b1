/* Generates the files of `src/` that follow from the service's schemas: resources, events and operations. */
import { writeFile } from "node:fs/promises";
import { operationsOf } from "@findersfee/api/openapi/operations";
import { v1 } from "@findersfee/api/v1-router";
import { generateSources } from "./generate/sources.ts";

for (const [name, text] of generateSources(operationsOf(v1))) {
  await writeFile(new URL(`../src/${name}`, import.meta.url), text);
}
