import fc from "fast-check";
import { RowId } from "./random-inputs.ts";

/** Values that are invalid in every field, or at the limits. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    0.5,
    1e-7,
    1e21,
    1e308,
    2 ** 53,
    -(2 ** 63),
    999_999_999_999.99,
    1_000_000_000_000,
    0.1 + 0.2,
    "",
    " ",
    "0",
    "10",
    "true",
    "null",
    "NaN",
    "a\0b",
    "\ud800",
    "\udc00\ud800",
    "😀",
    "x".repeat(256),
    "x".repeat(30_000),
    "'; drop table commissions; --",
    "{a,b}",
    "\\",
    '"',
    "%00",
    "../../etc/passwd",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "0199D3A1-6A7E-7C44-9A51-3F2B8C6D1E90",
    "2026-02-30T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
    "1970-01-01T00:00:00+00:01",
    "https://user:password@example.com",
    "javascript:alert(1)",
    "https://exa mple.com",
    "a@b",
    "a@example.com\n",
    [],
    {},
    [[]],
    [null],
    Array.from({ length: 300 }, () => 0),
    { __proto__: null, constructor: 1 },
  ),
  fc.jsonValue(),
  fc.string({ unit: "binary" }),
  fc.double(),
  fc
    .constantFrom("campaigns", "affiliates", "referrals", "commissions", "payouts", "events", "others")
    .chain((resource) => fc.nat(1_000).map((index) => new RowId(resource, index))),
);

const unknownName = fc.constantFrom(
  "x",
  "__proto__",
  "constructor",
  "toString",
  "",
  "\0",
  "Email",
  "id ",
  "organization_id",
  "created_at",
);

/** One change that makes an input invalid, or tests a limit. */
export type Mutation =
  | { kind: "replace" | "remove" | "wrap"; at: number; value: unknown }
  | { kind: "add"; name: string; value: unknown };

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("replace" as const), at: fc.nat(), value: odd }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("remove" as const), at: fc.nat(), value: fc.constant(null) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("wrap" as const), at: fc.nat(), value: fc.constant(null) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("add" as const), name: unknownName, value: odd }) },
);

/** Applies a mutation to a copy; `at` indexes the input's values, including nested ones. */
export function mutate(input: unknown, mutation: Mutation): unknown {
  if (mutation.kind === "add") {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    const copy = { ...input };
    Object.defineProperty(copy, mutation.name, {
      value: mutation.value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
    return copy;
  }
  const places = placesIn(input);
  const place = places[mutation.at % Math.max(1, places.length)];
  return place === undefined ? input : changed(input, place, mutation);
}

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  if (value instanceof RowId || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const at = [...place, Array.isArray(value) ? Number(name) : name];
    return [at, ...placesIn(each, at)];
  });
}

function changed(value: unknown, [step, ...rest]: Place, mutation: Mutation): unknown {
  if (typeof value !== "object" || value === null || step === undefined) return value;
  const inner = (value as Record<string | number, unknown>)[step];
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => (index === step ? replaced(each, rest, mutation) : [each]));
  }
  const [next] = replaced(inner, rest, mutation);
  const others = Object.entries(value).filter(([name]) => name !== step);
  return Object.fromEntries(next === undefined ? others : [...others, [step, next]]);
}

/** The replacement: one value or none. */
function replaced(value: unknown, rest: Place, mutation: Mutation): unknown[] {
  if (rest.length > 0) return [changed(value, rest, mutation)];
  switch (mutation.kind) {
    case "replace":
      return [mutation.value];
    case "wrap":
      return [[value]];
    case "remove":
    case "add":
      return [];
  }
}
