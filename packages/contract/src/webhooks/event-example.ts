import { z } from "zod";
import { type EventType, eventDataSchemas } from "./events.ts";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const nodeSchema = z.looseObject({
  example: z.json().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
});

/** An event's `data` as shown in the documentation's examples. */
export function eventExample(type: EventType): Json {
  const document = z.toJSONSchema(eventDataSchemas[type], { io: "output", unrepresentable: "any" });
  const definitions: Record<string, unknown> = { ...document.$defs };
  const read = (unread: unknown): Json => {
    const node = nodeSchema.parse(unread);
    if (node.example !== undefined) return node.example;
    if (node.$ref !== undefined) return read(definitions[node.$ref.split("/").at(-1) ?? ""]);
    if (node.properties !== undefined) {
      return Object.fromEntries(Object.entries(node.properties).map(([name, value]) => [name, read(value)]));
    }
    if (node.items !== undefined) return [read(node.items)];
    return node.anyOf === undefined ? null : read(node.anyOf[0]);
  };
  return read(document);
}
