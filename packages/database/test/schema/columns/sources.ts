import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type CallExpression,
  isCallExpression,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  type Node,
  type SourceFile,
  type TypeNode,
} from "typescript/unstable/ast";
import { API, type Checker, type Program, type Type } from "typescript/unstable/sync";

/** A statement with a row type in the sources. */
export interface TypedStatement {
  file: string;
  /** The range of its characters in the file. */
  start: number;
  end: number;
  line: number;
  row: Type;
}

export interface Export {
  file: string;
  name: string;
  type: Type;
}

/** The source files of a folder of this package, with the compiler's types. */
export class Sources {
  readonly checker: Checker;
  /** Relative to the folder. */
  readonly files: string[];
  readonly #folder: string;
  readonly #api = new API();
  readonly #program: Program;
  readonly #statements = new Map<string, TypedStatement[]>();

  constructor(folder: URL) {
    const config = fileURLToPath(new URL("../../../tsconfig.json", import.meta.url));
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`${config} is not a project`);
    this.checker = project.checker;
    this.#program = project.program;
    this.#folder = fileURLToPath(folder);
    this.files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    for (const file of this.files) this.#statements.set(file, this.#findStatements(file));
  }

  close(): void {
    this.#api.close();
  }

  pathOf(file: string): string {
    return `${this.#folder}${file}`;
  }

  get statements(): TypedStatement[] {
    return [...this.#statements.values()].flat();
  }

  exportsOf(file: string): Export[] {
    const module = this.checker.getSymbolAtLocation(this.#source(file));
    const symbols = module === undefined ? [] : this.checker.getExportsOfModule(module);
    return symbols.flatMap((symbol) => {
      const type = this.checker.getTypeOfSymbol(symbol);
      return type === undefined ? [] : [{ file, name: symbol.name, type }];
    });
  }

  /** The row type of an exported reader of `readers.ts`. */
  rowOfReader(name: string): Type {
    const reader = this.exportsOf("readers.ts").find((symbol) => symbol.name === name)?.type;
    const [row] = reader?.isTypeReference() ? this.checker.getTypeArguments(reader) : [];
    if (row === undefined) throw new Error(`${name} is not a reader`);
    return row;
  }

  /** The innermost typed statement that the first frame of a stack trace in the folder points to. */
  statementOf(stack: string): TypedStatement | null {
    const frames = stack.split("\n").filter((frame) => frame.includes(this.#folder));
    const frame = frames.find((text) => !text.includes("/src/postgres/statement.ts"));
    const [, file = "", line, column] = frame
      ?.slice(frame.indexOf(this.#folder) + this.#folder.length)
      .match(/^([^:]+):(\d+):(\d+)/) ?? ["", ""];
    return this.#statementAt(file, Number(line), Number(column));
  }

  /** Lines and columns count from 1. */
  #statementAt(file: string, line: number, column: number): TypedStatement | null {
    const statements = this.#statements.get(file) ?? [];
    if (statements.length === 0) return null;
    const before = this.#source(file)
      .text.split("\n")
      .slice(0, line - 1);
    const position = before.reduce((sum, text) => sum + text.length + 1, column - 1);
    const around = statements.filter(({ start, end }) => start <= position && position < end);
    return around.sort((a, b) => a.end - a.start - (b.end - b.start))[0] ?? null;
  }

  #source(file: string): SourceFile {
    const source = this.#program.getSourceFile(this.pathOf(file));
    if (source === undefined) throw new Error(`${file} is not part of the project`);
    return source;
  }

  #findStatements(file: string): TypedStatement[] {
    const source = this.#source(file);
    const found: TypedStatement[] = [];
    const visit = (node: Node) => {
      const row = this.#rowTypeOf(node);
      if (row !== null && this.checker.getPropertiesOfType(row).length > 0) {
        const start = node.getStart(source);
        const line = source.text.slice(0, start).split("\n").length;
        found.push({ file, start, end: node.end, line, row });
      }
      node.forEachChild(visit);
    };
    source.forEachChild(visit);
    return found;
  }

  /** The row type of sql<Row[]>`…`, sql.unsafe<Row[]>(…) or STATEMENT.run(…); null for other nodes. */
  #rowTypeOf(node: Node): Type | null {
    if (isTaggedTemplateExpression(node)) return this.#elementOf(node.typeArguments?.[0]);
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return null;
    if (node.expression.name.text === "unsafe") return this.#elementOf(node.typeArguments?.[0]);
    return node.expression.name.text === "run" ? this.#rowOfStatement(node) : null;
  }

  #elementOf(rows: TypeNode | undefined): Type | null {
    const type = rows && this.checker.getTypeFromTypeNode(rows);
    if (type === undefined || !type.isTypeReference()) return null;
    const [element] = this.checker.getTypeArguments(type);
    return (element && this.checker.getNonNullableType(element)) ?? null;
  }

  #rowOfStatement(call: CallExpression): Type | null {
    if (!isPropertyAccessExpression(call.expression)) return null;
    const type = this.checker.getTypeAtLocation(call.expression.expression);
    if (!type?.isTypeReference() || type.getSymbol()?.name !== "Statement") return null;
    return this.checker.getTypeArguments(type)[0] ?? null;
  }
}
