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
  /** The errors beyond those that every operation has. */
  errors: readonly ErrorCode[];
}

/** Every procedure that carries `openapi` meta: what REST serves, and what the OpenAPI document describes. */
export function restProcedures(router: OpenApiRouter): RestProcedure[] {
  const found: RestProcedure[] = [];
  // tRPC keeps the procedures by their full paths, whatever its types say of routers in routers.
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
