import type { Parameter } from "../../openapi/document-types.ts";
import type { ReferenceOperation } from "./model.ts";

/** The locations of parameters, in display order. */
export const LOCATIONS = [
  { location: "path", heading: "Path parameters" },
  { location: "query", heading: "Query parameters" },
  { location: "header", heading: "Headers" },
] as const;

export function parametersIn({ parameters }: ReferenceOperation, location: string): Parameter[] {
  return parameters.filter((parameter) => parameter.in === location);
}
