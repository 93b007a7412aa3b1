import type { Parameter } from "../../openapi/parts.ts";
import type { ReferenceOperation } from "./model.ts";

/** Where parameters are sent, in the order in which they are listed. */
export const LOCATIONS = [
  { location: "path", heading: "Path parameters" },
  { location: "query", heading: "Query parameters" },
  { location: "header", heading: "Headers" },
] as const;

export function parametersIn({ parameters }: ReferenceOperation, location: string): Parameter[] {
  return parameters.filter((parameter) => parameter.in === location);
}
