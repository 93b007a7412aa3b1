import { printJson, printLine } from "../print.ts";

/** What came of a step. */
export interface Told<Data> {
  /** For people. */
  lines: string[];
  /** For programs, and for the steps that follow. */
  data: Data;
}

const INDENT = " ".repeat(7);

/** Prints a demonstration step by step: for people as it goes on, for programs a line of JSON each. */
export class Steps {
  readonly #count: number;
  readonly #json: boolean;
  #number = 0;

  constructor(count: number, { json }: { json: boolean }) {
    this.#count = count;
    this.#json = json;
  }

  /** Does a step, between its title and what came of it. */
  async take<Data extends object>(title: string, work: () => Promise<Told<Data>>): Promise<Data> {
    this.#number += 1;
    const step = this.#number;
    if (step > this.#count) throw new Error(`there are more steps than ${this.#count}`);
    if (!this.#json) printLine(`${String(step).padStart(2)}/${this.#count}  ${title}`);
    const { lines, data } = await work();
    if (this.#json) printJson({ step, steps: this.#count, title, data }, { indented: false });
    else for (const line of lines) printLine(`${INDENT}${line}`);
    return data;
  }
}
