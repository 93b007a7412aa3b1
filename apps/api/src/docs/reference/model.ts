import type {
  ApiDocument,
  CodeSample,
  DescribedOperation,
  MediaType,
  Parameter,
  PathItem,
  Reference,
  Response,
  Schema,
} from "../../openapi/document-types.ts";
import { referencedName } from "../../openapi/schemas.ts";
import { referenceSlug } from "../pages.ts";

/** A reference page: the operations on one resource, or the webhook events. */
export interface ReferencePage {
  /** The address below `/docs/`: `reference/campaigns`. */
  slug: string;
  title: string;
  description: string;
  /** The resource that the operations return; none on the page of webhook events. */
  object: ReferenceObject | null;
  operations: readonly ReferenceOperation[];
  events: readonly ReferenceEvent[];
}

export interface ReferenceObject {
  name: string;
  anchor: string;
  schema: Schema;
  example: unknown;
}

export interface ReferenceOperation {
  /** The operationId: `createCampaign`. */
  anchor: string;
  method: string;
  /** Including the version: `/v1/campaigns/{id}`. */
  path: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  body: { schema: Schema; required: boolean } | null;
  response: { description: string; schema: Schema; example: unknown };
  errors: readonly OperationError[];
  samples: readonly CodeSample[];
}

export interface OperationError {
  status: string;
  code: string;
  message: string;
  /** The names of the facts in the error's `details`. */
  details: readonly string[];
}

export interface ReferenceEvent {
  /** The event's type, with a hyphen in place of its dot. */
  anchor: string;
  type: string;
  summary: string;
  description: string;
  headers: readonly Parameter[];
  schema: Schema;
  example: unknown;
}

/** The document as pages, in the order of its tags. */
export function referencePages(document: ApiDocument): ReferencePage[] {
  const resources = document.tags.map(({ name, description }) => {
    const operations = operationsOf(document, name);
    const object = objectOf(document, name, operations);
    return { slug: referenceSlug(name), title: name, description, object, operations, events: [] };
  });
  return [
    ...resources,
    {
      slug: referenceSlug("Webhook events"),
      title: "Webhook events",
      description:
        "The service sends each event to the organization's webhook endpoints as a signed POST. The resources inside `data` are in reduced form.",
      object: null,
      operations: [],
      events: Object.entries(document.webhooks).map(([type, item]) => eventOf(type, item)),
    },
  ];
}

function operationsOf(document: ApiDocument, tag: string): ReferenceOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => operationOf(document, { path, method, operation })),
  );
}

function operationOf(
  document: ApiDocument,
  { path, method, operation }: { path: string; method: string; operation: DescribedOperation },
): ReferenceOperation {
  const { operationId, summary, description = "", parameters = [], requestBody, responses } = operation;
  const { 200: success, ...failures } = responses;
  const answered = success === undefined ? undefined : resolveResponse(document, success);
  const content = answered?.content?.["application/json"] ?? answered?.content?.["application/x-ndjson"];
  if (answered === undefined || content === undefined) throw new Error(`${operationId} has no response body`);
  const body = requestBody?.content["application/json"].schema;
  return {
    anchor: operationId,
    method: method.toUpperCase(),
    path: `/v1${path}`,
    summary,
    description,
    parameters: parameters.map((parameter) => resolveParameter(document, parameter)),
    body: body === undefined ? null : { schema: body, required: requestBody?.required ?? false },
    response: responseOf(answered.description, content),
    errors: Object.entries(failures).flatMap(([status, response]) =>
      errorsOf(status, resolveResponse(document, response)),
    ),
    samples: operation["x-codeSamples"] ?? [],
  };
}

/** The response of a feed is shown as one of its lines. */
function responseOf(description: string, { schema, example }: MediaType): ReferenceOperation["response"] {
  const { contentSchema: line } = schema;
  if (line === undefined) return { description, schema, example };
  return { description, schema: line, example: JSON.parse(String(example)) };
}

function errorsOf(status: string, { content }: Response): OperationError[] {
  const examples = Object.values(content?.["application/json"]?.examples ?? {});
  return examples.map(({ value }) => {
    const error = field(value, "error");
    const details = field(error, "details");
    return {
      status,
      code: String(field(error, "code")),
      message: String(field(error, "message")),
      details: typeof details === "object" && details !== null ? Object.keys(details) : [],
    };
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** The `data` schema of the tag's `get` operation; without one, of its first operation. Lines of a feed have no envelope. */
function objectOf(
  document: ApiDocument,
  tag: string,
  operations: readonly ReferenceOperation[],
): ReferenceObject | null {
  const get = operations.find(({ anchor }) => anchor.startsWith("get")) ?? operations[0];
  const envelope = get === undefined ? null : referencedName(get.response.schema);
  const body = envelope === null ? undefined : document.components.schemas[envelope];
  if (body?.oneOf !== undefined) return null;
  const data = body?.properties?.data;
  const name = data === undefined ? null : referencedName(data);
  if (get === undefined || name === null) throw new Error(`${tag} have no operation that returns one`);
  const schema = document.components.schemas[name] ?? {};
  return { name, anchor: objectAnchor(name), schema, example: field(get.response.example, "data") };
}

/** The anchor of an object's description on its page. */
function objectAnchor(name: string): string {
  return `${name.toLowerCase()}-object`;
}

function eventOf(type: string, { post }: PathItem): ReferenceEvent {
  const content = post?.requestBody?.content["application/json"];
  if (post === undefined || content === undefined) throw new Error(`${type} has no body`);
  return {
    anchor: type.replaceAll(".", "-"),
    type,
    summary: post.summary,
    description: post.description ?? "",
    headers: (post.parameters ?? []).filter((parameter) => "name" in parameter),
    schema: content.schema,
    example: content.example,
  };
}

function resolveParameter(document: ApiDocument, parameter: Parameter | Reference): Parameter {
  if (!("$ref" in parameter)) return parameter;
  const resolved = document.components.parameters[nameIn(parameter)];
  if (resolved === undefined) throw new Error(`unknown parameter ${parameter.$ref}`);
  return resolved;
}

function resolveResponse(document: ApiDocument, response: Response | Reference): Response {
  if (!("$ref" in response)) return response;
  const resolved = document.components.responses[nameIn(response)];
  if (resolved === undefined) throw new Error(`unknown response ${response.$ref}`);
  return resolved;
}

function nameIn({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}
