import type { Schema, Schemas } from "./document-types.ts";
import { referencedName } from "./schemas.ts";

/**
 * Builds an example of a schema from the examples of its fields. Throws when a field has none, so that none
 * is forgotten.
 */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  const name = referencedName(schema);
  if (name !== null) return exampleOf(named(name, schemas), schemas);
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, exampleOf(property, schemas)]),
    );
  }
  if (schema.items !== undefined) return [exampleOf(schema.items, schemas)];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(first, schemas);
  throw new Error(`a schema has no example: ${JSON.stringify(schema)}`);
}

function named(name: string, schemas: Schemas): Schema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`unknown schema ${name}`);
  return schema;
}
