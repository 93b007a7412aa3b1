import type { Issue } from "@findersfee/contract/errors";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OpenApiRouter } from "trpc-openapi";
import { z } from "zod";
import { requestContext, type Services } from "../context.ts";
import { issuesOf } from "../issues.ts";
import { envelopeFor } from "./envelope.ts";
import { restProcedures } from "./procedures.ts";

/** A procedure's input from a request, and the issues that its schema cannot see. */
interface Sent {
  input: unknown;
  issues: Issue[];
}

/**
 * Registers every procedure with `openapi` meta as a native Fastify route. (trpc-openapi's own handler scans
 * all paths by regular expression on each request, and coerces bodies.)
 */
export function mountRest(
  app: FastifyInstance,
  { router, services }: { router: OpenApiRouter; services: Services },
): void {
  for (const { name, procedure, type, openapi, input: schema, output } of restProcedures(router)) {
    const { wrap } = envelopeFor(output);
    const { method } = openapi;
    const read = method === "GET" ? queryReader(schema) : readBody;
    app.route({
      method,
      url: openapi.path.replace(/\{(\w+)\}/g, ":$1"),
      handler: async (request, reply) => {
        const { input, issues } = read(request);
        if (issues.length > 0) throw withSchemaIssues(issues, schema.safeParse(input));
        const ctx = requestContext(request, reply, services);
        const call = { ctx, path: name, type, signal: undefined, batchIndex: 0 };
        return wrap(await procedure({ ...call, getRawInput: async () => input }));
      },
    });
  }
}

/** One response lists all issues of a request. */
function withSchemaIssues(issues: readonly Issue[], { error }: z.ZodSafeParseResult<unknown>): DomainError {
  const of_schema = error === undefined ? [] : issuesOf(error);
  return new DomainError("invalid_request", { issues: [...issues, ...of_schema] });
}

type Coercion = (text: string) => unknown;

/** Parses the query of a GET request, where all values are text. */
function queryReader(schema: z.ZodObject): (request: FastifyRequest) => Sent {
  // With the first request: the coercions of all routes would be an eighth of a service's start.
  let coercions: ReadonlyMap<string, Coercion> | null = null;
  return ({ query, params }) => {
    coercions ??= coercionsOf(schema);
    const own = params as Record<string, string>;
    const input: Record<string, unknown> = { ...own };
    const issues: Issue[] = [];
    for (const [name, value] of Object.entries(query as object)) {
      // The path already identifies the row.
      const coerce = Object.hasOwn(own, name) ? undefined : coercions.get(name);
      if (coerce === undefined) issues.push({ path: name, message: UNKNOWN_PARAMETER });
      else input[name] = typeof value === "string" ? coerce(value) : value;
    }
    return { input, issues };
  };
}

const UNKNOWN_PARAMETER = "Unknown query parameter.";

/**
 * Converts the text of each query parameter to its type. Text in another format stays text, and zod reports
 * the issue. (Ajv's coercion, which Fastify uses, takes `0x10` and `1e1` for numbers.)
 */
function coercionsOf(input: z.ZodObject): ReadonlyMap<string, Coercion> {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      coercionOf(typeof schema === "object" ? schema.type : undefined),
    ]),
  );
}

function coercionOf(type: unknown): Coercion {
  if (type === "number" || type === "integer") return readNumber;
  return type === "boolean" ? readBoolean : (text) => text;
}

function readNumber(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function readBoolean(text: string): unknown {
  if (text === "true") return true;
  return text === "false" ? false : text;
}

function readBody({ body, query, params }: FastifyRequest): Sent {
  const issues = Object.keys(query as object).map((name) => ({ path: name, message: UNKNOWN_PARAMETER }));
  // A missing body counts as an empty object. zod rejects anything that is not an object.
  const fields = body === undefined ? {} : body;
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    return { input: fields, issues };
  for (const [name, value] of Object.entries(params as Record<string, string>)) {
    if (!isSameId(value, (fields as Record<string, unknown>)[name])) {
      issues.push({ path: name, message: "Read-only: it must equal the id in the path." });
    }
  }
  return { input: { ...fields, ...(params as object) }, issues };
}

/** Whether a body has no id or repeats the path's, as a resource sent back whole does. */
function isSameId(of_path: string, of_body: unknown): boolean {
  if (of_body === undefined) return true;
  return typeof of_body === "string" && of_body.toLowerCase() === of_path.toLowerCase();
}
