import { z } from "zod";

/** The subset of JSON Schema that zod generates for the contract. */
export interface Schema {
  $ref?: string | undefined;
  description?: string | undefined;
  readOnly?: boolean | undefined;
  type?: string | string[] | undefined;
  enum?: string[] | undefined;
  const?: string | boolean | undefined;
  format?: string | undefined;
  default?: unknown;
  anyOf?: Schema[] | undefined;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  maxLength?: number | undefined;
  maxItems?: number | undefined;
}

const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    description: z.string().optional(),
    readOnly: z.boolean().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.string()).optional(),
    const: z.union([z.string(), z.boolean()]).optional(),
    format: z.string().optional(),
    default: z.unknown().optional(),
    anyOf: z.array(schemaSchema).optional(),
    items: schemaSchema.optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    maxLength: z.number().optional(),
    maxItems: z.number().optional(),
  }),
);

const documentSchema = z.object({ $defs: z.record(z.string(), schemaSchema).default({}) });

/** Requests use the input side: fields with a default are optional. */
export type Side = "input" | "output";

/** Converts a zod schema to JSON Schema. `named` has the schemas that it refers to. */
export function readSchema(schema: z.ZodType, side: Side): { root: Schema; named: Map<string, Schema> } {
  const document = z.toJSONSchema(schema, { io: side, unrepresentable: "any" });
  const { $defs } = documentSchema.parse(document);
  return { root: schemaSchema.parse(document), named: new Map(Object.entries($defs)) };
}

/** The name of the referenced schema, or null. */
export function referencedName({ $ref }: Schema): string | null {
  return $ref?.split("/").at(-1) ?? null;
}
