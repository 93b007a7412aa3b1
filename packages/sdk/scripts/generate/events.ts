import {
  type EventType,
  eventBodySchemas,
  eventDescriptions,
  eventTypes,
  feedEventSchemas,
} from "@findersfee/contract/events";
import { z } from "zod";
import { readSchema, type Schema } from "./schema.ts";
import { comment, importOf, interfaceOf, referencedNames, unionOf } from "./typescript.ts";

/** The events and what only they consist of; `resources` are the names of what the API answers with, too. */
export function eventsSource(shapes: Map<string, Schema>, resources: readonly string[]): string[] {
  const used = [...shapes.values()].flatMap(referencedNames).filter((name) => resources.includes(name));
  const events = eventTypes.map(eventInterface);
  return [
    importOf(used, "resources.ts"),
    ...[...shapes].map(([name, schema]) => interfaceOf(name, schema, "output")),
    ...events.map(({ text }) => text),
    [
      ...comment("What a webhook delivers; `type` tells which of the five it is."),
      "export type WebhookEvent =",
      ...events.map(({ name }, index) => `  | ${name}${index === events.length - 1 ? ";" : ""}`),
    ].join("\n"),
    unionOf("EventType", eventTypes, "The types of events."),
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

/** The feed's rows: the contract writes each type out; here they are what was sent, and what the feed adds. */
function feedSource(): string {
  const { type: _type, data: _data, ...added } = feedEventSchemas["affiliate.created"].shape;
  const { properties: own = {} } = readSchema(z.object(added), "output").root;
  const schema = {
    properties: own,
    required: Object.keys(own),
    description: "What the feed adds to an event.",
  };
  return [
    interfaceOf("EventRecord", schema, "output"),
    "",
    ...comment("An event as the feed lists it: `type` and `data` are what was sent."),
    "export type Event = EventRecord & WebhookEvent;",
  ].join("\n");
}
