import { splitReadOnly } from "@findersfee/contract/read-only";
import type { OpenAPIObject } from "trpc-openapi";
import type { Schema, Schemas } from "./document-types.ts";
import { type Operation, pathParameters } from "./operations.ts";

const REFERENCE = "#/components/schemas/";

export function reference(name: string): Schema {
  return { $ref: `${REFERENCE}${name}` };
}

export function referencedName({ $ref }: Schema): string | null {
  return $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : null;
}

/** The document's schemas: the generator's, and each request body under the name of its operation. */
export function namedSchemas(generated: OpenAPIObject, operations: readonly Operation[]): Schemas {
  const bodies: Schemas = {};
  for (const { path, method, body_name } of operations) {
    const body = generated.paths?.[path]?.[method]?.requestBody;
    if (body === undefined || !("content" in body)) continue;
    const schema: Schema | undefined = body.content["application/json"]?.schema;
    if (schema !== undefined) bodies[body_name] = schema;
  }
  const components: Schemas = generated.components?.schemas ?? {};
  const of_requests = reachable(Object.values(bodies), components);
  const schemas: Schemas = {};
  for (const [name, schema] of Object.entries(components)) {
    schemas[name] = of_requests.has(name) ? tidyBody(schema) : tidyResponse(schema);
  }
  for (const [name, body] of Object.entries(bodies)) schemas[name] = tidyBody(body);
  for (const operation of operations.filter(({ method }) => method === "put")) {
    addReadOnly(operation, schemas);
  }
  return schemas;
}

/**
 * Adds the response's read-only fields, which an update accepts without changing them, to the update's body.
 */
function addReadOnly(operation: Operation, schemas: Schemas): void {
  const { body_name, input, output } = operation;
  const { properties = {} } = schemas[output.meta()?.id ?? ""] ?? {};
  const { [body_name]: body } = schemas;
  if (body === undefined) throw new Error(`${operation.id} has no body`);
  const names = [...pathParameters(operation), ...Object.keys(splitReadOnly(input).read_only)];
  const read_only = names.map((name) => {
    const property = properties[name];
    if (property === undefined) throw new Error(`${operation.id} does not return ${name}`);
    return [name, { ...property, readOnly: true }] as const;
  });
  schemas[body_name] = { ...body, properties: { ...body.properties, ...Object.fromEntries(read_only) } };
}

/** The names of the schemas that these refer to, directly or indirectly. */
function reachable(roots: readonly Schema[], schemas: Schemas): Set<string> {
  const names = new Set<string>();
  const visit = (schema: Schema): Schema => {
    const name = referencedName(schema);
    const referenced = name === null ? undefined : schemas[name];
    if (name !== null && referenced !== undefined && !names.has(name)) {
      names.add(name);
      mapSchema(referenced, visit);
    }
    return schema;
  };
  for (const root of roots) mapSchema(root, visit);
  return names;
}

/** Transforms a schema and all nested schemas, innermost first. References are not followed. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  const mapped: Schema = { ...schema };
  if (properties !== undefined) {
    mapped.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, mapSchema(property, change)]),
    );
  }
  if (items !== undefined) mapped.items = mapSchema(items, change);
  if (anyOf !== undefined) mapped.anyOf = anyOf.map((choice) => mapSchema(choice, change));
  if (oneOf !== undefined) mapped.oneOf = oneOf.map((choice) => mapSchema(choice, change));
  if (typeof additionalProperties === "object") {
    mapped.additionalProperties = mapSchema(additionalProperties, change);
  }
  return change(mapped);
}

/** A schema of a request body. Query parameters keep their `default`, which generators support there. */
function tidyBody(schema: Schema): Schema {
  return mapSchema(tidyRequest(schema), defaultInWords);
}

/**
 * Moves a default from the keyword to the description: openapi-typescript makes a property with a default
 * required, as it is in a response, and every request would have to send it.
 */
function defaultInWords(schema: Schema): Schema {
  if (!("default" in schema)) return schema;
  const { default: fallback, description = "", ...rest } = schema;
  const shown = typeof fallback === "string" ? fallback : JSON.stringify(fallback);
  return { ...rest, description: `${description} Default: \`${shown}\`.`.trimStart() };
}

/** Applies the rules for both directions: OpenAPI 3.1's spelling of a schema. */
export function tidyRequest(schema: Schema): Schema {
  const steps = [referenceOnly, withExamples, withoutSafeBounds, formatOnly, nullableTogether];
  return mapSchema(schema, (part) => steps.reduce((changed, step) => step(changed), part));
}

/**
 * Requests with unknown fields are rejected, but responses may gain fields: generated clients must not break
 * on them.
 */
export function tidyResponse(schema: Schema): Schema {
  return mapSchema(tidyRequest(schema), (part) => {
    if (part.additionalProperties !== false) return part;
    const { additionalProperties: _, ...open } = part;
    return open;
  });
}

/**
 * zod sometimes repeats a referenced schema next to the reference; only the description of this place must
 * stay.
 */
function referenceOnly(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, description, example, examples } = schema;
  return {
    $ref,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** Removes the regular expressions that zod adds to formats; the format is clearer for readers. */
function formatOnly(schema: Schema): Schema {
  if (schema.format === undefined || schema.pattern === undefined) return schema;
  const { pattern: _, ...rest } = schema;
  return rest;
}

/** OpenAPI 3.1 deprecates `example` in schemas in favor of JSON Schema's `examples`. */
function withExamples(schema: Schema): Schema {
  if (!("example" in schema)) return schema;
  const { example, ...rest } = schema;
  return { ...rest, examples: [example] };
}

/** Removes the bounds of safe integers that zod adds, which are not limits of the field. */
function withoutSafeBounds(schema: Schema): Schema {
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

/**
 * Reduces an array that may also be comma-separated text to the array alone: with `style: form` and no
 * `explode` both are the same query, and generated clients send arrays.
 */
export function arrayAlone(schema: Schema): Schema {
  const { anyOf = [], ...rest } = schema;
  const array = anyOf.find(({ type }) => type === "array");
  return array === undefined ? schema : { ...array, ...rest };
}

/**
 * Replaces `anyOf` a string and null by `type: ["string", "null"]`, which readers and generators handle
 * better.
 */
function nullableTogether(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  const [value, nothing, ...others] = anyOf ?? [];
  if (value === undefined || nothing === undefined || others.length > 0) return schema;
  const is_nullable = nothing.type === "null";
  if (!is_nullable || typeof value.type !== "string" || value.enum !== undefined) return schema;
  return { ...value, ...rest, type: [value.type, "null"] };
}
