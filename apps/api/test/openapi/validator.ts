import { ERRORS, type ErrorCode } from "@findersfee/contract/errors";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type {
  ApiDocument,
  DescribedOperation,
  Header,
  PathItem,
  Response,
  Schema,
} from "../../src/openapi/document-types.ts";
import { mapSchema, reference, referencedName } from "../../src/openapi/schemas.ts";

/** A response of the REST API with its request. */
export interface ObservedAnswer {
  method: string;
  /** As requested: `/v1/affiliates/0199…?limit=3`. */
  path: string;
  status: number;
  /** Checked when given. */
  headers?: Headers | Record<string, string>;
  /** Parsed; null for none. */
  body: unknown;
}

export interface DocumentedOperation {
  id: string;
  method: string;
  /** As in the document: `/affiliates/{id}`. */
  path: string;
  /** The allowed error codes per status; none for a success. */
  statuses: Map<number, string[]>;
}

const ERROR_BODY = reference("ErrorBody");

/** The allowed responses to a request without an operation. */
const UNROUTED: ErrorCode[] = ["invalid_request", "payload_too_large", "unsupported_media_type"];

/**
 * Checks responses strictly against the OpenAPI document: an undocumented status, error code or field is an
 * error. `validateResponse` throws with the request and all violations, `validateLine` with those of a feed's line.
 */
export function validatorFor(document: ApiDocument): {
  validateResponse(answer: ObservedAnswer): void;
  validateLine(schema: string, line: unknown): void;
} {
  const schemas = schemaValidators(document);
  const validateResponse = (answer: ObservedAnswer): void => {
    const faults = faultsOf(answer, { document, schemas });
    if (faults.length === 0) return;
    const { method, path, status, body } = answer;
    const text = JSON.stringify(body) ?? "none";
    throw new Error(
      `${method} ${path} returned ${status}, which openapi.json does not allow:\n` +
        `${faults.map((fault) => `- ${fault}`).join("\n")}\nbody: ${text.slice(0, 2000)}`,
    );
  };
  const validateLine = (name: string, line: unknown): void => {
    const validate = schemas(reference(name));
    if (!validate(line)) throw new Error(`${name}: ${JSON.stringify(validate.errors)}`);
  };
  return { validateResponse, validateLine };
}

export function documentedOperations(document: ApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    operationsAt(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      statuses: new Map(
        Object.keys(operation.responses).map((status) => {
          return [Number(status), errorCodes(resolveResponse(document, operation, status))];
        }),
      ),
    })),
  );
}

export function describedOperation(document: ApiDocument, id: string): DescribedOperation {
  const operations = Object.values(document.paths).flatMap(operationsAt);
  const found = operations.find(([, { operationId }]) => operationId === id)?.[1];
  if (found === undefined) throw new Error(`unknown operation ${id}`);
  return found;
}

interface Rules {
  document: ApiDocument;
  schemas: (schema: Schema) => ValidateFunction;
}

function faultsOf(answer: ObservedAnswer, rules: Rules): string[] {
  const item = itemAt(answer.path, rules.document);
  const operation = operationsAt(item ?? {}).find(([method]) => method.toUpperCase() === answer.method)?.[1];
  if (operation === undefined) return unroutedFaults(answer, { item, rules });
  const response = resolveResponse(rules.document, operation, String(answer.status));
  if (response === undefined) return [`${operation.operationId} has no response ${answer.status}`];
  return [
    ...bodyFaults(
      answer,
      (response.content?.["application/json"] ?? response.content?.["application/x-ndjson"])?.schema,
      rules,
    ),
    ...codeFaults(answer, errorCodes(response)),
    ...headerFaults(answer, response, rules),
  ];
}

/** An unknown path or method is not in the document, but still has its error. */
function unroutedFaults(
  answer: ObservedAnswer,
  { item, rules }: { item: PathItem | undefined; rules: Rules },
): string[] {
  const expected: ErrorCode = item === undefined ? "not_found" : "method_not_allowed";
  const faults = [...bodyFaults(answer, ERROR_BODY, rules), ...codeFaults(answer, [expected, ...UNROUTED])];
  const lacks_allow = answer.headers !== undefined && new Headers(answer.headers).get("allow") === null;
  if (answer.status === ERRORS.method_not_allowed.status && lacks_allow) faults.push("no header Allow");
  return faults;
}

function bodyFaults({ body }: ObservedAnswer, schema: Schema | undefined, { schemas }: Rules): string[] {
  if (schema === undefined) return body === null ? [] : ["has a body"];
  const validate = schemas(schema);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `body${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

function codeFaults({ status, body }: ObservedAnswer, allowed: string[]): string[] {
  if (allowed.length === 0) return [];
  const code = errorCodeIn(body);
  if (code === undefined) return ["body has no error code"];
  if (!allowed.includes(code)) return [`code ${code} is none of ${allowed.join(", ")}`];
  const registered = Object.entries(ERRORS).find(([name]) => name === code)?.[1];
  return registered?.status === status ? [] : [`code ${code} does not belong to status ${status}`];
}

function errorCodeIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return String(error.code);
}

const NEEDED = new Set(["X-Request-Id", "Retry-After"]);

function headerFaults(answer: ObservedAnswer, response: Response, { document, schemas }: Rules): string[] {
  if (answer.headers === undefined) return [];
  const headers = new Headers(answer.headers);
  return Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
    const value = headers.get(name);
    if (value === null) return NEEDED.has(name) ? [`no header ${name}`] : [];
    const { schema } = resolveHeader(document, header);
    const valid = schemas(schema)(schema.type === "integer" ? Number(value) : value);
    return valid ? [] : [`header ${name} is ${value}`];
  });
}

/** The examples of error responses are keyed by code. */
function errorCodes(response: Response | undefined): string[] {
  return Object.keys(response?.content?.["application/json"]?.examples ?? {});
}

function operationsAt(item: PathItem): [string, DescribedOperation][] {
  return Object.entries(item);
}

function itemAt(path: string, { servers, paths }: ApiDocument): PathItem | undefined {
  const { pathname: prefix } = new URL(servers[0]?.url ?? "/", "http://localhost");
  const [requested = ""] = path.split("?");
  const found = Object.entries(paths).find(([template]) => {
    const pattern = `${prefix}${template}`.replace(/\{\w+\}/g, "[^/]+");
    return new RegExp(`^${pattern}$`).test(requested);
  });
  return found?.[1];
}

function resolveResponse(
  { components }: ApiDocument,
  { responses }: DescribedOperation,
  status: string,
): Response | undefined {
  const response = responses[status];
  if (response === undefined || !("$ref" in response)) return response;
  return components.responses[response.$ref.replace("#/components/responses/", "")];
}

function resolveHeader({ components }: ApiDocument, header: Header | { $ref: string }): Header {
  if (!("$ref" in header)) return header;
  const resolved = components.headers[header.$ref.replace("#/components/headers/", "")];
  if (resolved === undefined) throw new Error(`unknown header ${header.$ref}`);
  return resolved;
}

/** Compiles each schema once, with the document's named schemas. */
function schemaValidators({ components }: ApiDocument): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  // `oneOf` decides the same later, and Ajv does not support the mapping.
  ajv.addKeyword("discriminator");
  for (const [name, schema] of Object.entries(components.schemas)) {
    ajv.addSchema({ ...closed(schema), $id: `schema:${name}` });
  }
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile(closed(schema));
    compiled.set(schema, validate);
    return validate;
  };
}

/** The document allows future response fields; this check rejects undocumented ones. */
function closed(schema: Schema): Schema {
  return mapSchema(schema, (part) => {
    const name = referencedName(part);
    if (name !== null) return { ...part, $ref: `schema:${name}` };
    return part.properties === undefined ? part : { additionalProperties: false, ...part };
  });
}
