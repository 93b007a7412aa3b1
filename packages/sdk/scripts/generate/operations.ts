import { type Operation, typeName } from "@findersfee/api/openapi/operations";
import { readSchema, referencedName } from "./schema.ts";
import { comment, importOf } from "./typescript.ts";

interface Method {
  resource: string;
  verb: string;
  operation: Operation;
  /** The output type; for a list, the type of its rows. */
  output: string;
}

/** Generates the types of the operations, by resource. */
export function operationsSource(operations: readonly Operation[]): string[] {
  const methods = operations.map(methodOf);
  const resources = resourcesOf(methods);
  return [
    [
      importOf(["ApiCall"], "../calls/api-call.ts"),
      importOf(["List"], "../calls/list.ts"),
      importOf(["Event"], "../resources/events.ts"),
      importOf(
        methods.map(({ operation }) => operation.body_name),
        "../resources/requests.ts",
      ),
      importOf(
        methods.map(({ output }) => output).filter((output) => output !== "Event"),
        "../resources/resources.ts",
      ),
      importOf(["CallOptions", "CreateOptions"], "../settings/options.ts"),
    ].join("\n"),
    ...resources.map(([resource, methods]) => interfaceOfResource(resource, methods)),
    [
      ...comment("Every operation of the API, by resource."),
      "export interface Findersfee {",
      ...resources.map(([resource]) => `  readonly ${resource}: ${interfaceName(resource)};`),
      "}",
    ].join("\n"),
  ];
}

/** Generates the calls that implement the operations. */
export function proceduresSource(operations: readonly Operation[]): string[] {
  const lines = resourcesOf(operations.map(methodOf)).flatMap(([resource, methods]) => [
    `    ${resource}: {`,
    ...methods.flatMap(callLines),
    "    },",
  ]);
  return [
    [importOf(["Caller"], "../calls/caller.ts"), importOf(["Findersfee"], "./operations.ts")].join("\n"),
    [
      ...comment("Implements the operations as calls of the procedures with their names."),
      "export function nameProcedures(caller: Caller): Findersfee {",
      "  return {",
      ...lines,
      "  };",
      "}",
    ].join("\n"),
  ];
}

function resourcesOf(methods: readonly Method[]): [string, Method[]][] {
  const names = [...new Set(methods.map(({ resource }) => resource))];
  return names.map((name) => [name, methods.filter(({ resource }) => resource === name)]);
}

function methodOf(operation: Operation): Method {
  const resource = operation.path.split("/")[1] ?? "";
  const { root } = readSchema(operation.output, "output");
  const output = referencedName(root) ?? referencedName(root.properties?.data?.items ?? {});
  if (output === null) throw new Error(`the output of ${operation.id} has no name`);
  const verb = operation.name.split(".").at(-1) ?? "";
  return { resource, verb, operation, output };
}

function interfaceName(resource: string): string {
  return `${typeName(resource.replace(/s$/, ""))}Operations`;
}

function interfaceOfResource(resource: string, methods: readonly Method[]): string {
  const lines = methods.flatMap((method) => [...comment(describe(method), "  "), `  ${signature(method)}`]);
  return [`export interface ${interfaceName(resource)} {`, ...lines, "}"].join("\n");
}

function describe({ verb, operation }: Method): string {
  const { openapi, errors } = operation;
  return [
    `${openapi.summary}.`,
    openapi.description ?? "",
    verb === "list"
      ? "Await it for one page, or iterate over it for all rows (100 per page unless `limit` is set)."
      : "",
    errors.length === 0 ? "" : `Errors: ${errors.map((code) => `\`${code}\``).join(", ")}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function signature({ verb, operation, output }: Method): string {
  if (verb === "list") return `list(input?: ${operation.body_name}, options?: CallOptions): List<${output}>;`;
  const options = operation.method === "post" ? "CreateOptions" : "CallOptions";
  return `${verb}(input: ${operation.body_name}, options?: ${options}): ApiCall<${output}>;`;
}

function callLines({ resource, verb, operation }: Method): string[] {
  const path = `"${resource}.${verb}"`;
  if (verb !== "list") {
    const kind = { get: "query", post: "create", put: "update" }[operation.method];
    return [`      ${verb}: (input, options) => caller.${kind}(${path}, input, options),`];
  }
  // Where a list accepts both, they are equivalent, and `after` is the more descriptive name.
  const cursor = ["after", "cursor"].find((field) => field in operation.input.shape);
  return [
    `      list: (input, options) => caller.list({ path: ${path}, cursor: "${cursor}" }, input, options),`,
  ];
}
