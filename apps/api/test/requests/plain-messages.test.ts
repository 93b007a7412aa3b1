import { type Node, parse } from "acorn";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { z } from "zod";
import { account_router } from "../../src/identity/account/router.ts";
import { app_router } from "../../src/router.ts";
import { sourcesBelow } from "../openapi/regular-expressions.ts";

/*
 * People of the dashboard read the messages of errors, so these name no fields of the API and no headers: an issue's
 * `path` names the field. Texts are found in the sources, and in the answers of input schemas to wrong values.
 */

/** Everything with messages that a person may read. */
const FOLDERS = ["packages/contract/src", "packages/domain/src", "apps/api/src", "apps/worker/src"];

/** Texts there that no error has: pages for developers. */
const DOCUMENTS = ["apps/api/src/docs", "apps/api/src/openapi"];

/** Words in snake case, words of headers, and variables of the environment. */
const TECHNICAL =
  /\b[a-z0-9]+_\w+|\b[A-Z]+_[A-Z_]+\b|\b[A-Z][a-z]+-[A-Z][a-zA-Z-]*\b|\b(?:findersfee|webhook)-[a-z]+/;

/** Words that are allowed, each with the reason. */
const ALLOWED: [words: RegExp, reason: string][] = [
  [/next_cursor/, "pages of the dashboard send only cursors that they were given"],
  [/^connected_account: /, "the field that the reason is about, which the page of the message marks"],
  [
    /^webhook-id, webhook-timestamp and webhook-signature$/,
    "headers of a webhook, which the developer of its sender signs",
  ],
  [/\b(rk_live|rk_test|ff_pk|ff_sk|promo|whsec)_…/g, "how a key or an id begins, which a person copies"],
  [/PUBLIC_URL|SECRETS_KEY|SMTP_URL|MAIL_FROM/g, "settings, for the person who runs the service"],
  [/Authorization: Bearer/, "answers a request that has neither a session nor a key"],
  [/click_id and email that you send/, "for the developer who signs sign-ups; no page of the dashboard does"],
  [/E-Mail-Adresse|Affiliate-(Programm|Portal)/g, "German words"],
  [/X-Api-Key/, "an example of the name that a person enters for a header"],
  [/The header webhook-id/, "answers whoever sends an inbound webhook"],
  [
    /^Must be (one of )?[a-z_0-9.]+(, [a-z_0-9.]+)*(, or several separated by commas)?\.$/,
    "values of a choice; the dashboard offers no others",
  ],
];

function isPlain(text: string): boolean {
  const rest = ALLOWED.reduce((left, [words]) => left.replace(words, ""), text);
  return !TECHNICAL.test(rest);
}

/** Texts of several words in a file's source code, with `…` for each inserted value. */
function textsIn(source: string): string[] {
  const { code } = transformSync(source, { loader: "ts", target: "esnext" });
  return [...textsOf(parse(code, { ecmaVersion: "latest", sourceType: "module" }))].filter((text) =>
    /^[^\n]*\S \S[^\n]*$/.test(text),
  );
}

/** Properties and constants with texts for the API's documents. */
const DESCRIBED = /^(describe\w*|description|example|summary)$/;

/** Tagged templates are SQL. */
function* textsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* textsOf(item);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const node = value as Node & Record<string, unknown>;
  if (node.type === "TaggedTemplateExpression" || node.type === "ImportDeclaration") return;
  if (DESCRIBED.test(nameOf(node.key ?? node.id) ?? "")) return;
  if (node.type === "Literal" && typeof node.value === "string") yield node.value;
  if (node.type === "TemplateLiteral")
    yield (node.quasis as Quasi[]).map(({ value }) => value.cooked).join("…");
  for (const child of Object.values(node)) yield* textsOf(child);
}

interface Quasi {
  value: { cooked: string };
}

function nameOf(key: unknown): string {
  return (key as { name?: string } | null | undefined)?.name ?? "";
}

/** Every schema reachable from the inputs of a router's procedures. */
function schemasOf(router: { _def: { procedures: unknown } }): Set<z.ZodType> {
  const schemas = new Set<z.ZodType>();
  const seen = new Set<unknown>();
  const procedures = Object.values(router._def.procedures as Record<string, { _def: { inputs: unknown[] } }>);
  const waiting: unknown[] = procedures.flatMap(({ _def }) => _def.inputs);
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof z.ZodType) {
      if (value.type !== "transform") schemas.add(value);
      // A check is a schema, too, but only for values of the right type.
      const { checks: _checks, ...parts } = value.def;
      waiting.push(parts);
    } else waiting.push(...Object.values(value).filter((item) => item !== undefined));
  }
  return schemas;
}

/** Values that schemas refuse: of each type, empty, too short, too long, too large. */
const WRONG: unknown[] = [
  undefined,
  null,
  "",
  "x",
  "x".repeat(100_000),
  -1,
  0.00001,
  1e18,
  true,
  [],
  {},
  [{}],
  { x: 1 },
];

it("no message of the sources names fields of the API or headers", () => {
  const files = FOLDERS.flatMap(sourcesBelow).filter(
    ({ place }) => !DOCUMENTS.some((folder) => place.startsWith(folder)),
  );
  const found = files.flatMap(({ place, source }) => textsIn(source).map((text) => ({ place, text })));
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter(({ text }) => !isPlain(text)).map(({ place, text }) => `${place}: ${text}`)).toEqual(
    [],
  );
});

it("no answer to a wrong input does", () => {
  const schemas = [...schemasOf(app_router), ...schemasOf(account_router)];
  const messages = schemas.flatMap((schema) =>
    WRONG.flatMap((value) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []),
  );
  expect(new Set(messages).size).toBeGreaterThan(50);
  expect([...new Set(messages)].filter((message) => !isPlain(message))).toEqual([]);
});

it.each([
  'refine(f, { error: "Must be after events_from." })',
  'new DomainError("rate_limited", { message: `Wait as Retry-After says.` })',
  'const hint = "Send the header findersfee-organization.";',
  'const hint = "Start the service with PUBLIC_KEY.";',
])("the check itself finds %s", (source) => {
  expect(textsIn(source).filter((text) => !isPlain(text))).toHaveLength(1);
});
