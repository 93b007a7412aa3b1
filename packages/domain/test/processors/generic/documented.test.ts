import { readFileSync } from "node:fs";
import { processor_message_types } from "@findersfee/contract/processors/messages";
import { describe, expect, it } from "vitest";
import { parseGenericMessage } from "../../../src/processors/generic/parse.ts";
import { stripe_event_types } from "../../../src/processors/stripe/event-types.ts";
import { factsOf } from "../parsed.ts";

const text = readFileSync(new URL("../../../../../docs/processors.md", import.meta.url), "utf8");
const examples: { type: string }[] = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) =>
  JSON.parse(json),
);

describe("docs/processors.md", () => {
  it("shows an example of each message type", () => {
    const types = new Set(examples.map(({ type }) => type));
    expect([...types].sort()).toEqual([...processor_message_types].sort());
  });

  it.each(examples.map((example) => [example.type, example]))("shows valid examples: %s", (_, example) => {
    expect(factsOf(parseGenericMessage(example))).toHaveLength(1);
  });

  it("lists the processed events of Stripe", () => {
    // The same event under its former name, and one with the content of invoice.paid.
    const unnamed = ["charge.refund.updated"];
    for (const type of stripe_event_types.filter((known) => !unnamed.includes(known))) {
      const [, last = ""] = /(\.[a-z_]+)$/.exec(type) ?? [];
      expect(text.includes(`\`${type}\``) || text.includes(`\`${last}\``), type).toBe(true);
    }
  });
});
