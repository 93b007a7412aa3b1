import type { Database } from "@findersfee/database/connect";
import { invalidField } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  forEachOpenApiProcedure,
  getInputOutputParsers,
  type OpenApiProcedure,
  type OpenApiRouter,
} from "trpc-openapi";
import { z } from "zod";
import { requestContext } from "./context.ts";
import { envelopeFor } from "./envelope.ts";

/**
 * Registers every procedure that carries `openapi` meta as a native Fastify route. (trpc-openapi's own
 * handler scans all paths by regular expression on each request, and coerces bodies.)
 */
export function mountRest(
  app: FastifyInstance,
  { router, database }: { router: OpenApiRouter; database: Database },
): void {
  // tRPC keeps the procedures by their full paths, whatever its types say of routers in routers.
  const procedures = router._def.procedures as unknown as Record<string, OpenApiProcedure>;
  forEachOpenApiProcedure(procedures, ({ path, procedure, type, meta }) => {
    const { inputParser, outputParser } = getInputOutputParsers(procedure);
    const { wrap } = envelopeFor(outputParser as z.ZodType);
    const { method } = meta.openapi;
    app.route({
      method,
      url: meta.openapi.path.replace(/\{(\w+)\}/g, ":$1"),
      schema: { querystring: coercions(inputParser as z.ZodType) },
      // A value that cannot be coerced stays as it came, and zod says what is wrong with it.
      attachValidation: true,
      handler: async (request, reply) => {
        const input = method === "GET" ? readQuery(request) : readBody(request);
        return wrap(
          await procedure({
            ctx: requestContext(request, reply, database),
            getRawInput: async () => input,
            path,
            type,
            signal: request.signal,
            batchIndex: 0,
          }),
        );
      },
    });
  });
}

/** Query values are text; this schema makes Fastify turn those into numbers and booleans that should be. */
function coercions(input: z.ZodType): object {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const scalars: Record<string, { type: "number" | "boolean" }> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (typeof schema !== "object") continue;
    if (schema.type === "number" || schema.type === "integer") scalars[name] = { type: "number" };
    if (schema.type === "boolean") scalars[name] = { type: "boolean" };
  }
  return { type: "object", properties: scalars };
}

function readQuery({ query, params }: FastifyRequest): unknown {
  const inputs = { ...(query as object), ...(params as object) };
  for (const name of Object.keys(params as object)) refuseTwice(name, query as object);
  return inputs;
}

function readBody({ body, query, params }: FastifyRequest): unknown {
  for (const name of Object.keys(query as object)) throw invalidField(name, "Unknown query parameter.");
  // Nothing sent is the same as nothing said. What is no object is zod's to refuse.
  const fields = body ?? {};
  if (typeof fields !== "object" || Array.isArray(fields)) return fields;
  for (const name of Object.keys(params as object)) refuseTwice(name, fields);
  return { ...fields, ...(params as object) };
}

/** The path says which row is meant; a second word on it would have to be ignored, so it is refused. */
function refuseTwice(name: string, fields: object): void {
  if (Object.hasOwn(fields, name)) throw invalidField(name, "Unknown field.");
}
