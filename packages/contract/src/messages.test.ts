import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createAffiliateInput, listAffiliatesInput } from "./affiliates/affiliates.ts";
import { createCampaignInput } from "./campaigns/campaigns.ts";
import { createReplayInput } from "./webhooks/deliveries.ts";
import "./messages.ts";

/** The message for each invalid field: `{ name: "Required." }`. */
function messages(schema: z.ZodType, input: unknown): Record<string, string> {
  const { error } = schema.safeParse(input);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));
}

describe("default messages", () => {
  it.each([
    ["Required.", z.string(), undefined],
    ["Must be a string, not a number.", z.string(), 1],
    ["Must be a number, not a string.", z.number(), "1"],
    ["Required: a number.", z.number(), null],
    ["Must be a number.", z.number(), Number.POSITIVE_INFINITY],
    ["Must be a whole number.", z.int(), 1.5],
    ["Must be a boolean (true or false), not a string.", z.boolean(), "true"],
    ["Must be an array, not an object.", z.array(z.string()), {}],
    ["Must be an object, not an array.", z.object({}), []],
    ["Must be an object, not a boolean.", z.object({}), true],
    ["Must be one of link, coupon.", z.enum(["link", "coupon"]), "both"],
    ["Must be link.", z.literal("link"), "both"],
    ["Must be at most 5.", z.number().max(5), 6],
    ["Must be greater than 5.", z.number().gt(5), 5],
    ["Must have at most 3 characters.", z.string().max(3), "four"],
    ["Must have exactly 1 character.", z.string().length(1), ""],
    ["Must have at least 1 item.", z.array(z.string()).min(1), []],
    ["Must be a multiple of 2.", z.number().multipleOf(2), 3],
    ["Unknown field.", z.strictObject({}), { colour: "green" }],
    ["Is not valid.", z.string().regex(/x/), "y"],
    ["Own words.", z.string({ error: "Own words." }), 1],
  ])("include: %s", (message, schema, input) => {
    expect(messages(schema, input)).toEqual({ "": message });
  });
});

it("adds the default messages to the contract's own messages", () => {
  expect(messages(createAffiliateInput, { first_name: 1, approved: "yes", details: 5 })).toEqual({
    email: "Required.",
    first_name: "Must be a string, not a number.",
    approved: "Must be a boolean (true or false), not a string.",
    details: "Must be a string, not a number.",
  });
  expect(
    messages(createCampaignInput, {
      name: "",
      commission_type: "half",
      commission_amount: "30",
      cookie_duration: 0,
    }),
  ).toEqual({
    name: "Must not be blank.",
    commission_type: "Must be one of percentage, fixed.",
    commission_amount: "Must be a number, not a string.",
    cookie_duration: "Must be a whole number from 1 to 365.",
  });
  expect(messages(listAffiliatesInput, { page: 1.5, limit: "x", email: "x".repeat(300) })).toEqual({
    page: "Must be a whole number from 1 to 100000.",
    limit: "Must be a whole number from 1 to 100.",
    email: "Must be an email address of at most 254 characters.",
  });
  expect(messages(createReplayInput, { endpoint_id: "x", events_to: null })).toMatchObject({
    endpoint_id: "Must be a UUID.",
    events_from: "Required.",
  });
});
