/*
 * The types of an OpenAPI 3.1 document, limited to the parts in use, with the specification's names.
 * (trpc-openapi's types allow no siblings of a `$ref`, which 3.1 does.)
 */

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: Discriminator;
  additionalProperties?: Schema | boolean;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  readOnly?: boolean;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  description?: string;
  /** The keyword that zod-openapi writes; 3.1 expects `examples`. */
  example?: unknown;
  examples?: unknown[];
  /** Of text: the media type, and the schema of each of its values. */
  contentMediaType?: string;
  contentSchema?: Schema;
}

/** The property that discriminates the choices of a `oneOf`, and the reference for each of its values. */
export interface Discriminator {
  propertyName: string;
  mapping?: Record<string, string>;
}

/** Schemas by their names in the document's components. */
export type Schemas = Record<string, Schema>;

export interface Header {
  description: string;
  schema: Schema;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export type Content = Record<"application/json", MediaType>;

/** JSON, except for feeds. */
export type SuccessType = "application/json" | "application/x-ndjson";

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Partial<Record<SuccessType, MediaType>>;
}

export interface Parameter extends Header {
  name: string;
  in: string;
  required: boolean;
  /** The array format: `form` without `explode` means values separated by commas. */
  style?: "form";
  explode?: boolean;
}

export interface RequestBody {
  required: boolean;
  content: Content;
}

/** A sample program for an operation: Redocly's extension, which reference tools display. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
  "x-codeSamples"?: CodeSample[];
}

/** The operations of one path, by method. */
export type PathItem = Partial<Record<"get" | "post" | "put", DescribedOperation>>;

export interface ApiDocument {
  openapi: string;
  info: {
    title: string;
    description: string;
    version: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: {
    schemas: Schemas;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
    parameters: Record<string, Parameter>;
    securitySchemes: Record<string, { type: string; scheme: string; description: string }>;
  };
}
