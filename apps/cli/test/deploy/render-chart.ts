/*
 * Renders a Helm chart for machines without Helm: values, `range` over maps, `if`, `define` and `include`, and the functions below.
 * It throws at everything else, so the chart stays within that; where Helm is installed, a test compares both.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

type Value = unknown;
type Variables = ReadonlyMap<string, Value>;
type Node = { text: string } | { action: string } | Block;
interface Block {
  keyword: string;
  argument: string;
  inner: Node[];
}

const FUNCTIONS: Record<string, (...parameters: string[]) => Value> = {
  add: (one, other) => Number(one) + Number(other),
  default: (fallback, value) => (value === "" ? fallback : value),
  indent: (count, text) => String(text).replaceAll(/^/gm, " ".repeat(Number(count))),
  not: (value) => !value,
  quote: (value) => JSON.stringify(String(value)),
  toJson: (value) => JSON.stringify(value),
};

/** The resources of a chart, for a release, by its own values and others that replace them. */
export async function renderChart(
  folder: string,
  { release, values }: { release: string; values: Record<string, unknown> },
): Promise<Record<string, unknown>[]> {
  const [chart, own] = await Promise.all(
    ["Chart.yaml", "values.yaml"].map(async (name) => parse(await readFile(join(folder, name), "utf8"))),
  );
  const root = {
    Values: { ...own, ...values },
    Release: { Name: release },
    Chart: { AppVersion: chart.appVersion },
  };
  const templates = join(folder, "templates");
  const names = (await readdir(templates)).sort();
  const parsed = await Promise.all(
    names.map(async (name) => ({
      name,
      nodes: parseTemplate(await readFile(join(templates, name), "utf8")),
    })),
  );
  const defined = new Map<string, Node[]>();
  for (const { nodes } of parsed) {
    for (const node of nodes) {
      if ("keyword" in node && node.keyword === "define") defined.set(JSON.parse(node.argument), node.inner);
    }
  }
  const text = parsed
    .filter(({ name }) => name.endsWith(".yaml"))
    .map(({ nodes }) => new Template(root, defined).write(nodes, new Map()))
    .join("\n---\n");
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS();
    })
    .filter((resource) => resource !== null);
}

/** Texts and actions, with the actions between `if`, `range`, `define` and their `end` inside them. */
function parseTemplate(source: string): Node[] {
  const trimmed = source.replaceAll(/\s*\{\{-/g, "{{").replaceAll(/-\}\}\s*/g, "}}");
  const open: Block[] = [{ keyword: "", argument: "", inner: [] }];
  for (const [index, part] of trimmed.split(/\{\{(.*?)\}\}/s).entries()) {
    const inner = open.at(-1)?.inner ?? [];
    const [, keyword = "", argument = ""] = /^\s*(if|range|define|end)?\s*(.*?)\s*$/s.exec(part) ?? [];
    if (index % 2 === 0) inner.push({ text: part });
    else if (keyword === "end") open.pop();
    else if (keyword === "") inner.push({ action: argument });
    else {
      const block = { keyword, argument, inner: [] };
      inner.push(block);
      open.push(block);
    }
  }
  if (open.length !== 1) throw new Error(`A block of the template has no end: ${source}`);
  return open[0]?.inner ?? [];
}

class Template {
  readonly #root: object;
  readonly #defined: ReadonlyMap<string, Node[]>;

  constructor(root: object, defined: ReadonlyMap<string, Node[]>) {
    this.#root = root;
    this.#defined = defined;
  }

  write(nodes: readonly Node[], variables: Variables): string {
    return nodes
      .map((node) => {
        if ("text" in node) return node.text;
        if ("action" in node) return String(this.#evaluate(node.action, variables));
        return this.#block(node, variables);
      })
      .join("");
  }

  #block({ keyword, argument, inner }: Block, variables: Variables): string {
    if (keyword === "define") return "";
    if (keyword === "if") return this.#evaluate(argument, variables) ? this.write(inner, variables) : "";
    const [, key = "", value = "", list = ""] = /^(\$\w+), (\$\w+) := (.*)$/.exec(argument) ?? [];
    return Object.entries(this.#evaluate(list, variables) as object)
      .sort()
      .map(([name, item]) => this.write(inner, new Map([...variables, [key, name], [value, item]])))
      .join("");
  }

  /** `function argument | function`: each function takes the result before it as its last argument. */
  #evaluate(expression: string, variables: Variables): Value {
    let result: Value[] = [];
    for (const step of expression.split(" | ")) {
      const [first = "", ...others] = step.trim().split(/\s+/);
      if (first === "include") {
        const nodes = this.#defined.get(JSON.parse(others[0] ?? ""));
        if (nodes === undefined) throw new Error(`Nothing defines ${others[0]}.`);
        result = [this.write(nodes, variables)];
        continue;
      }
      const named = FUNCTIONS[first];
      const parameters = others.map((term) => this.#term(term, variables)) as string[];
      result = [
        named === undefined ? this.#term(first, variables) : named(...parameters, ...(result as string[])),
      ];
    }
    return result[0];
  }

  #term(term: string, variables: Variables): Value {
    if (/^\d+$/.test(term)) return Number(term);
    if (term.startsWith("$")) return variables.get(term);
    if (!/^(\.\w+)+$/.test(term)) throw new Error(`The chart has something else than values: ${term}`);
    let value: Value = this.#root;
    for (const name of term.split(".").slice(1)) value = (value as Record<string, Value>)[name];
    if (value === undefined) throw new Error(`There is no value ${term}.`);
    return value;
  }
}
