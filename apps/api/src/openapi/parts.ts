/*
 * The parts of an OpenAPI 3.1 document, as far as ours has them, by the specification's names. (The types
 * that trpc-openapi brings know no words beside a `$ref`, which 3.1 allows.)
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
  /** What zod-openapi writes; `examples` is what 3.1 wants. */
  example?: unknown;
  examples?: unknown[];
}

/** Which property tells the choices of a `oneOf` apart, and the reference that each of its values stands for. */
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

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Content;
}

export interface Parameter extends Header {
  name: string;
  in: string;
  required: boolean;
  /** How an array is written: `form` without `explode` is its values separated by commas. */
  style?: "form";
  explode?: boolean;
}

export interface RequestBody {
  required: boolean;
  content: Content;
}

/** A program that calls an operation: Redocly's extension, which reference tools show. */
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
