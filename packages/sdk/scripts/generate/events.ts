import {
  type EventType,
  eventBodySchemas,
  eventDescriptions,
  eventTypes,
  feedEventSchemas,
} from "@findersfee/contract/webhooks/events";
import { z } from "zod";
import { readSchema, type Schema } from "./schema.ts";
import { comment, importOf, interfaceOf, referencedNames, unionOf } from "./typescript.ts";

/** Generates the events and the types that only they use; `resources` names the types generated elsewhere. */
export function eventsSource(shapes: Map<string, Schema>, resources: readonly string[]): string[] {
  const used = [...shapes.values()].flatMap(referencedNames).filter((name) => resources.includes(name));
  const events = eventTypes.map(eventInterface);
  return [
    importOf(used, "./resources.ts"),
    ...[...shapes].map(([name, schema]) => interfaceOf(name, schema, "output")),
    ...events.map(({ text }) => text),
    [
      ...comment("The body of a webhook delivery; `type` names one of the event types."),
      "export type WebhookEvent =",
      ...events.map(({ name }, index) => `  | ${name}${index === events.length - 1 ? ";" : ""}`),
    ].join("\n"),
    unionOf("EventType", eventTypes, "The event types."),
    feedSource(),
  ];
}

function eventInterface(type: EventType): { name: string; text: string } {
  const { named } = readSchema(eventBodySchemas[type], "output");
  const [found] = [...named].filter(([name]) => name.endsWith("Body"));
  if (found === undefined) throw new Error(`the body of ${type} has no name`);
  const name = found[0].replace(/Body$/, "Event");
  return { name, text: interfaceOf(name, { ...found[1], description: eventDescriptions[type] }, "output") };
}

/**
 * The feed's rows. The contract spells out each type; here a row is the webhook's body plus the feed's
 * fields.
 */
function feedSource(): string {
  const { type: _type, data: _data, ...added } = feedEventSchemas["affiliate.created"].shape;
  const { properties: own = {} } = readSchema(z.object(added), "output").root;
  const schema = {
    properties: own,
    required: Object.keys(own),
    description: "The fields that the feed adds to an event.",
  };
  return [
    interfaceOf("EventRecord", schema, "output"),
    "",
    ...comment("An event in the feed; `type` and `data` equal the webhook's body."),
    "export type Event = EventRecord & WebhookEvent;",
  ].join("\n");
}
