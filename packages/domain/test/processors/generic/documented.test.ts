import { readFileSync } from "node:fs";
import { processor_message_types } from "@findersfee/contract/processor-messages";
import { describe, expect, it } from "vitest";
import { parseGenericMessage } from "../../../src/processors/generic/parse.ts";
import { stripe_event_types } from "../../../src/processors/stripe/event-types.ts";
import { factsOf } from "../parsed.ts";

const text = readFileSync(new URL("../../../../../docs/processors.md", import.meta.url), "utf8");
const examples: { type: string }[] = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) =>
  JSON.parse(json),
);

describe("docs/processors.md", () => {
  it("has an example of each type of message", () => {
    const types = new Set(examples.map(({ type }) => type));
    expect([...types].sort()).toEqual([...processor_message_types].sort());
  });

  it.each(examples.map((example) => [example.type, example]))(
    "has examples that are factsOf: %s",
    (_, one) => {
      expect(factsOf(parseGenericMessage(one))).toHaveLength(1);
    },
  );

  it("names the events of Stripe that are read", () => {
    // The same event under its former name, and one that says what invoice.paid says.
    const unnamed = ["charge.refund.updated"];
    for (const type of stripe_event_types.filter((one) => !unnamed.includes(one))) {
      const [, last = ""] = /(\.[a-z_]+)$/.exec(type) ?? [];
      expect(text.includes(`\`${type}\``) || text.includes(`\`${last}\``), type).toBe(true);
    }
  });
});
