import { printJson, printLine } from "../print.ts";

/** The result of a step. */
export interface StepResult<Data> {
  /** For people. */
  lines: string[];
  /** For programs, and for the following steps. */
  data: Data;
}

const INDENT = " ".repeat(7);

/** Prints the demo step by step: progressively for people, a line of JSON per step for programs. */
export class Steps {
  readonly #count: number;
  readonly #json: boolean;
  #number = 0;

  constructor(count: number, { json }: { json: boolean }) {
    this.#count = count;
    this.#json = json;
  }

  /** Runs a step, and prints its title and result. */
  async take<Data extends object>(title: string, work: () => Promise<StepResult<Data>>): Promise<Data> {
    this.#number += 1;
    const step = this.#number;
    if (step > this.#count) throw new Error(`the demo has more than ${this.#count} steps`);
    if (!this.#json) printLine(`${String(step).padStart(2)}/${this.#count}  ${title}`);
    const { lines, data } = await work();
    if (this.#json) printJson({ step, steps: this.#count, title, data }, { indented: false });
    else for (const line of lines) printLine(`${INDENT}${line}`);
    return data;
  }
}
