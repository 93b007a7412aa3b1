import { readFileSync, writeFileSync } from "node:fs";
import { REST_DOCUMENT, withExamples } from "./rest-document.ts";

writeFileSync(REST_DOCUMENT, withExamples(readFileSync(REST_DOCUMENT, "utf8")));
