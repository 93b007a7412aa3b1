import { DomainError, invalidField } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OpenApiRouter } from "trpc-openapi";
import { z } from "zod";
import { requestContext, type Services } from "./context.ts";
import { envelopeFor } from "./envelope.ts";
import { restProcedures } from "./rest-procedures.ts";

/**
 * Registers every procedure that carries `openapi` meta as a native Fastify route. (trpc-openapi's own
 * handler scans all paths by regular expression on each request, and coerces bodies.)
 */
export function mountRest(
  app: FastifyInstance,
  { router, services }: { router: OpenApiRouter; services: Services },
): void {
  for (const { name, procedure, type, openapi, input: schema, output } of restProcedures(router)) {
    const { wrap } = envelopeFor(output);
    const { method } = openapi;
    const coercions = coercionsOf(schema);
    app.route({
      method,
      url: openapi.path.replace(/\{(\w+)\}/g, ":$1"),
      handler: async (request, reply) => {
        const input = method === "GET" ? readQuery(request, coercions) : readBody(request);
        return wrap(
          await procedure({
            ctx: requestContext(request, reply, services),
            getRawInput: async () => input,
            path: name,
            type,
            signal: undefined,
            batchIndex: 0,
          }),
        );
      },
    });
  }
}

type Coercion = readonly [name: string, read: (text: string) => unknown];

/**
 * Query values are text: the fields of which zod wants something else, and how their text is read. What is
 * not written as it should be stays text, and zod says what is wrong with it. (Ajv's coercion, which Fastify
 * uses, takes `0x10` and `1e1` for numbers.)
 */
function coercionsOf(input: z.ZodType): Coercion[] {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).flatMap(([name, schema]): Coercion[] => {
    if (typeof schema !== "object") return [];
    if (schema.type === "number" || schema.type === "integer") return [[name, readNumber]];
    return schema.type === "boolean" ? [[name, readBoolean]] : [];
  });
}

function readNumber(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function readBoolean(text: string): unknown {
  if (text === "true") return true;
  return text === "false" ? false : text;
}

function readQuery({ query, params }: FastifyRequest, coercions: readonly Coercion[]): unknown {
  const names = params as object;
  for (const name of Object.keys(names)) refuseTwice(name, query as object);
  const input: Record<string, unknown> = { ...(query as object), ...names };
  for (const [name, read] of coercions) {
    const value = input[name];
    if (typeof value === "string") input[name] = read(value);
  }
  return input;
}

function readBody({ body, query, params }: FastifyRequest): unknown {
  const unknown = Object.keys(query as object);
  if (unknown.length > 0) {
    const issues = unknown.map((name) => ({ path: name, message: "Unknown query parameter." }));
    throw new DomainError("invalid_request", { issues });
  }
  // Nothing sent is the same as nothing said. What is no object is zod's to refuse.
  const fields = body === undefined ? {} : body;
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return fields;
  for (const name of Object.keys(params as object)) refuseTwice(name, fields);
  return { ...fields, ...(params as object) };
}

/** The path says which row is meant; a second word on it would have to be ignored, so it is refused. */
function refuseTwice(name: string, fields: object): void {
  if (Object.hasOwn(fields, name)) throw invalidField(name, "Unknown field.");
}
