import type { ErrorCode } from "@findersfee/contract/errors";
import {
  forEachOpenApiProcedure,
  getInputOutputParsers,
  type OpenApiMeta,
  type OpenApiProcedure,
  type OpenApiRouter,
} from "trpc-openapi";
import type { z } from "zod";

/** A procedure with a REST route. */
export interface RestProcedure {
  /** As in `campaigns.list`. */
  name: string;
  procedure: OpenApiProcedure;
  type: "query" | "mutation" | "subscription";
  openapi: NonNullable<OpenApiMeta["openapi"]>;
  input: z.ZodObject;
  output: z.ZodType;
  /** The errors in addition to the common ones. */
  errors: readonly ErrorCode[];
}

/** Every procedure with `openapi` meta: REST serves them, and the OpenAPI document describes them. */
export function restProcedures(router: OpenApiRouter): RestProcedure[] {
  const found: RestProcedure[] = [];
  // At run time tRPC stores the procedures by their full paths, although its types nest routers.
  const procedures = router._def.procedures as unknown as Record<string, OpenApiProcedure>;
  forEachOpenApiProcedure<{ errors?: readonly ErrorCode[] }>(
    procedures,
    ({ path, procedure, type, meta }) => {
      const { inputParser, outputParser } = getInputOutputParsers(procedure);
      if (outputParser === undefined) throw new Error(`procedure ${path} has no output schema`);
      const { openapi, errors = [] } = meta;
      found.push({ name: path, procedure, type, openapi, input: inputParser, output: outputParser, errors });
    },
  );
  return found;
}
