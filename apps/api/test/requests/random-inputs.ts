import { splitReadOnly } from "@findersfee/contract/read-only";
import fc from "fast-check";
import { z } from "zod";
import type { Operation } from "../operations.ts";

type Schema = z.core.JSONSchema.BaseSchema;
type Input = Record<string, unknown>;

/** A placeholder for an existing row's id, known only when the request is sent. */
export class RowId {
  readonly resource: string;
  readonly index: number;

  constructor(resource: string, index: number) {
    this.resource = resource;
    this.index = index;
  }
}

/** The kind of row that a field names. */
const RESOURCES: Record<string, string> = {
  campaign_id: "campaigns",
  affiliate_id: "affiliates",
  referral_id: "referrals",
  after: "events",
};

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const token = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.string({ unit: fc.constantFrom(..."abcdefghij0123456789_-"), minLength: 6, maxLength: 12 }),
  },
  // Values that another row may already have.
  { weight: 1, arbitrary: fc.constantFrom("same_1", "SAME_1", "same_2") },
);
const email = token.map((name) => `u${name}@example.com`);
const cents = fc.integer({ min: 1, max: 1_000_000 }).map((value) => value / 100);
const webAddress = token.map((path) => `https://example.com/${path}?a=%20&b=1#c`);

/** Fields with rules beyond their schemas. */
const NAMED: Record<string, fc.Arbitrary<unknown>> = {
  email,
  payout_email: email,
  ref_code: token,
  promo_code: token,
  processor_customer_id: token,
  processor_payment_id: token,
  currency: fc.constantFrom("USD", "USD", "USD", "EUR", "JPY"),
  revenue_amount: fc.oneof(cents, fc.integer({ min: 1, max: 1_000_000 })),
  commission_amount: fc.integer({ min: 1, max: 10_000 }).map((value) => value / 100),
  amount: fc.integer({ min: 1, max: 10_000 }).map((value) => value / 100),
  page: fc.integer({ min: 1, max: 5 }),
  period: fc.constantFrom("2026-10", "0000-01", "9999-12"),
  types: fc.constantFrom("commission.created", "affiliate.created,referral.converted"),
};

/** A valid input, generated from the operation's schema, so that no field can be forgotten. */
export function inputOf({ name, input }: Operation): fc.Arbitrary<Input> {
  const { writable } = splitReadOnly(input);
  const schema = z.toJSONSchema(writable, { io: "input", unrepresentable: "any" });
  const [resource = ""] = name.split(".");
  const object = objectOf(schema, { resource, definitions: schema.$defs ?? {} });
  return name.startsWith("campaigns.") && name !== "campaigns.list" ? object.map(coherent) : object;
}

interface Scope {
  resource: string;
  definitions: Record<string, Schema>;
}

function objectOf({ properties = {}, required = [] }: Schema, scope: Scope): fc.Arbitrary<Input> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(name, schema as Schema, scope)]),
  );
  // A list starts at one position: a page, a cursor, or an event.
  const optional = Object.keys(model).filter((name) => !required.includes(name));
  return fc.tuple(fc.record(model), fc.subarray(optional)).map(([all, left_out]) => {
    const missing = new Set(left_out.length === 0 ? optional : left_out);
    if ("cursor" in all && !missing.has("cursor")) missing.add("page").add("after");
    return Object.fromEntries(Object.entries(all).filter(([name]) => !missing.has(name)));
  });
}

function arbitraryOf(name: string, schema: Schema, scope: Scope): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const definition = scope.definitions[schema.$ref.replace("#/$defs/", "")];
    if (definition === undefined) throw new Error(`${name} refers to ${schema.$ref}, which does not exist`);
    return arbitraryOf(name, definition, scope);
  }
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((each) => arbitraryOf(name, each as Schema, scope)));
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return NAMED[name] ?? fc.integer({ min: Number(schema.minimum), max: Number(schema.maximum) });
    case "number":
      return NAMED[name] ?? cents;
    case "array":
      return fc.array(arbitraryOf(name, schema.items as Schema, scope), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 3,
      });
    case "object":
      return objectOf(schema, scope);
    case "string":
      return textOf(name, schema, scope);
    default:
      throw new Error(`no random value for ${name}: ${JSON.stringify(schema)}`);
  }
}

function textOf(name: string, { format, pattern }: Schema, scope: Scope): fc.Arbitrary<unknown> {
  if (name === "cursor") return fc.oneof(fc.constant(""), rowId(scope.resource));
  if (format === "uuid") return rowId(RESOURCES[name] ?? scope.resource);
  if (format === "date-time")
    return fc
      .date({ min: new Date(0), noInvalidDate: true, max: new Date(4e12) })
      .map((at) => at.toISOString());
  if (format === "uri") return webAddress;
  const named = NAMED[name];
  if (named !== undefined) return named;
  if (name === "subscription_status") return fc.constantFrom("active", "active,trialing", "canceled");
  return pattern === "\\S" ? words.map((text) => `x${text}`) : words;
}

/** Usually an existing row's id; otherwise another organization's, or another resource's. */
function rowId(resource: string): fc.Arbitrary<RowId> {
  const named = fc.oneof(
    { weight: 20, arbitrary: fc.constant(resource) },
    { weight: 1, arbitrary: fc.constantFrom("others", "events", "nothing") },
  );
  return fc.tuple(named, fc.nat(1_000)).map(([from, index]) => new RowId(from, index));
}

/** A campaign that satisfies the rules between its fields. */
function coherent(input: Input): Input {
  const { custom_fields, custom_commissions, limit_type, limit_amount: _, ...rest } = input;
  return {
    ...rest,
    ...("code_mode" in rest ? { website_url: "https://example.com", reference_coupon: "coupon" } : {}),
    ...(rest.website_url === null ? { website_url: "https://example.com/x" } : {}),
    ...(rest.reference_coupon === null ? { reference_coupon: "other" } : {}),
    ...("name" in rest && !("website_url" in rest) && !("code_mode" in rest)
      ? { website_url: "https://example.com" }
      : {}),
    ...(limit_type === undefined ? {} : { limit_type, limit_amount: limit_type === "none" ? null : 12 }),
    ...(Array.isArray(custom_fields) ? { custom_fields: custom_fields.map(coherentField) } : {}),
    ...(Array.isArray(custom_commissions)
      ? {
          custom_commissions: custom_commissions.map((each, index) => ({
            ...each,
            product_id: `prod_${index}`,
          })),
        }
      : {}),
  };
}

function coherentField(field: Input, index: number): Input {
  const chooses = field.type === "select" || field.type === "multi_select";
  return { ...field, id: `field_${index}`, options: chooses ? ["a", "b"] : [] };
}
