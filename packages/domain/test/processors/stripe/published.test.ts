import { api_versions } from "@findersfee/samples/stripe/api-version";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { describe, expect, it } from "vitest";
import published from "./published-fields.json" with { type: "json" };
import { NOON, oneOfEach } from "./samples.ts";

/*
 * published-fields.json has the fields of Stripe's objects as the types of stripe-node 23.1.0 and 17.4.0 have
 * them, which are generated from Stripe's OpenAPI description; those that an object may lack end in `?`.
 */
const former_only = ["invoice_payment"];

describe.each(api_versions)("the samples of %s", (version) => {
  const fields: Record<string, string> = published[version];
  const objects = oneOfEach(version);
  const samples = [
    ...objects,
    ...objects
      .slice(0, 1)
      .map((object) => stripeEvent({ type: "charge.refunded", object, api_version: version, created: NOON })),
  ];

  it.each(samples.map((sample) => [sample.object, sample] as const))("are complete: %s", (object, sample) => {
    if (former_only.includes(object) && fields[object] === undefined) return;
    const known = (fields[object] ?? "").split(" ");
    const required = known.filter((name) => !name.endsWith("?"));
    const all = known.map((name) => name.replace("?", ""));
    expect(Object.keys(sample)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(sample).filter((name) => !all.includes(name))).toEqual([]);
  });
});
