import { errorBodySchema } from "@findersfee/contract/errors";
import { eventBodySchemas } from "@findersfee/contract/webhooks/events";
import { generateOpenApiDocument, type OpenAPIObject, type OpenApiRouter } from "trpc-openapi";
import { z } from "zod";
import type {
  ApiDocument,
  DescribedOperation,
  MediaType,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  Schema,
  Schemas,
} from "./document-types.ts";
import { errorResponsesOf, sharedErrorResponses } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { feeds } from "./feeds.ts";
import { headerComponents, idempotencyKeyParameter, successHeaders } from "./headers.ts";
import { introduction, keyDescription, tags } from "./introduction.ts";
import { documentedRouter, type Operation, operationsOf, pathParameters } from "./operations.ts";
import { type Json, sampleRequest } from "./samples/request.ts";
import { codeSamples } from "./samples/samples.ts";
import { arrayAlone, namedSchemas, reference, tidyRequest, tidyResponse } from "./schemas.ts";
import { webhooksOf } from "./webhooks.ts";

const SECURITY_SCHEME = "ApiKey";

/** The id used in the schemas' examples. */
const SAMPLE_ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

const unroutedContent = {
  "application/json": { schema: z.union([errorBodySchema, ...Object.values(eventBodySchemas)]) },
};

type Generated = NonNullable<NonNullable<OpenAPIObject["paths"]>[string]["get"]>;

/**
 * The OpenAPI document of all REST operations, and of the feeds beside the router. trpc-openapi's generator converts the procedures to paths and
 * schemas; errors, headers, examples and webhooks, which it does not know, are added to its result.
 */
export function describeApi(
  router: OpenApiRouter,
  { server_url, version }: { server_url: string; version: string },
): ApiDocument {
  const operations = [...operationsOf(router), ...feeds];
  const info = {
    title: "Findersfee API",
    description: introduction,
    version,
    contact: contactOf(server_url),
    license: { name: "MIT", identifier: "MIT" },
  };
  const securitySchemes = {
    [SECURITY_SCHEME]: { type: "http", scheme: "bearer", description: keyDescription } as const,
  };
  const generated = generateOpenApiDocument(documentedRouter(operations), {
    ...info,
    openApiVersion: "3.1.0",
    baseUrl: server_url,
    securitySchemes,
    // Includes the named schemas that no success response uses; the path itself is dropped.
    paths: {
      "/unrouted": { get: { responses: { default: { description: "", content: unroutedContent } } } },
    },
  });
  const schemas = namedSchemas(generated, operations);
  return {
    openapi: generated.openapi,
    info,
    servers: [{ url: server_url }],
    tags,
    paths: pathsOf(generated, { operations, schemas }),
    webhooks: webhooksOf(schemas),
    components: {
      securitySchemes,
      schemas,
      responses: sharedErrorResponses(operations),
      headers: headerComponents,
      parameters: { IdempotencyKey: idempotencyKeyParameter },
    },
  };
}

/** The same document for a service at another address. */
export function documentAt(document: ApiDocument, server_url: string): ApiDocument {
  const info = { ...document.info, contact: contactOf(server_url) };
  return { ...document, info, servers: [{ url: server_url }] };
}

/** The service has no vendor contact: its own documentation covers errors and request ids. */
function contactOf(server_url: string): ApiDocument["info"]["contact"] {
  return { name: "Documentation of this service", url: server_url.replace(/v1$/, "docs/") };
}

function pathsOf(
  generated: OpenAPIObject,
  { operations, schemas }: { operations: readonly Operation[]; schemas: Schemas },
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const described = generated.paths?.[path]?.[method];
    if (described === undefined) throw new Error(`${operation.id} was not generated`);
    paths[path] = { ...paths[path], [method]: describe(operation, { described, schemas }) };
  }
  return paths;
}

function describe(
  operation: Operation,
  { described, schemas }: { described: Generated; schemas: Schemas },
): DescribedOperation {
  const { id, method, openapi } = operation;
  const parameters: (Parameter | Reference)[] = (described.parameters ?? []).map(parameterOf);
  if (method === "post") parameters.push({ $ref: "#/components/parameters/IdempotencyKey" });
  return {
    operationId: id,
    tags: openapi.tags ?? [],
    summary: openapi.summary ?? id,
    ...(openapi.description === undefined ? {} : { description: openapi.description }),
    security: [{ [SECURITY_SCHEME]: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(described.requestBody === undefined ? {} : { requestBody: requestBodyOf(operation, schemas) }),
    responses: {
      200: successOf(operation, { described, schemas }),
      ...errorResponsesOf(operation),
    },
    "x-codeSamples": codeSamples(
      sampleRequest(operation, {
        id: SAMPLE_ID,
        body: described.requestBody === undefined ? null : exampleBody(operation),
      }),
    ),
  };
}

/** The generator puts a parameter's description into its schema, where few tools look for it. */
function parameterOf(generated: NonNullable<Generated["parameters"]>[number]): Parameter {
  if (!("in" in generated) || generated.schema === undefined) throw new Error("a parameter has no schema");
  const { name, required = false, schema } = generated;
  const { description, ...rest } = arrayAlone(tidyRequest(schema));
  if (description === undefined) throw new Error(`parameter ${name} has no description`);
  const writing = rest.type === "array" ? ({ style: "form", explode: false } as const) : {};
  return { name, in: generated.in, required, description, ...writing, schema: rest };
}

function requestBodyOf(operation: Operation, schemas: Schemas): RequestBody {
  const { body_name } = operation;
  return {
    // A missing body counts as an empty object, which is valid if no field is required.
    required: (schemas[body_name]?.required ?? []).length > 0,
    content: { "application/json": { schema: reference(body_name), example: exampleBody(operation) } },
  };
}

function exampleBody(operation: Operation): Record<string, Json> {
  const example = z.record(z.string(), z.json()).parse(operation.input.meta()?.example);
  for (const parameter of pathParameters(operation)) delete example[parameter];
  return example;
}

function successOf(
  { method, success_type, description_of_success }: Operation,
  { described, schemas }: { described: Generated; schemas: Schemas },
): Response {
  const schema = tidyResponse(described.responses?.[200].content["application/json"].schema);
  const example = exampleOf(schema, schemas);
  const content =
    success_type === "application/json"
      ? { [success_type]: { schema, example } }
      : { [success_type]: linesOf(schema, example) };
  return { description: description_of_success, headers: successHeaders(method), content };
}

/** A text of JSON lines. OpenAPI 3.1 has no schema for a line of it, so JSON Schema's keyword for the content of texts says it. */
function linesOf(line: Schema, example: unknown): MediaType {
  const schema = { type: "string", contentMediaType: "application/x-ndjson", contentSchema: line };
  return { schema, example: `${JSON.stringify(example)}\n` };
}
