import { readFileSync, writeFileSync } from "node:fs";
import { EXAMPLE_DOCUMENTS, withExamples } from "./rest-document.ts";

for (const document of EXAMPLE_DOCUMENTS) {
  writeFileSync(document, withExamples(readFileSync(document, "utf8")));
}
