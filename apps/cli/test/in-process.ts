import { run } from "../src/run.ts";
import type { Environment, Outcome } from "./command-line.ts";

/** The parts of its process that a command replaces or changes. */
interface Replaced {
  argv: string[];
  env: NodeJS.ProcessEnv;
  exitCode: typeof process.exitCode;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, one after the other: a process takes 0.4 s of processor time. For commands that read no
 * input, and tests of neither signals, pipes nor exits; `command-line.ts` starts a process.
 */
export function findersfee(parameters: string | string[], environment: Environment): Promise<Outcome> {
  const list = typeof parameters === "string" ? parameters.split(" ").filter(Boolean) : parameters;
  const outcome = last.then(() => runHere(list, environment));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runHere(parameters: string[], environment: Environment): Promise<Outcome> {
  const before: Replaced = { argv: process.argv, env: process.env, exitCode: process.exitCode };
  const listeners = process.stdout.listeners("error");
  const output = captureOutput();
  try {
    process.argv = [process.execPath, "findersfee", ...parameters];
    process.env = { PATH: process.env.PATH ?? "", ...environment };
    process.exitCode = 0;
    await run();
    return { code: Number(process.exitCode), ...output.printed };
  } finally {
    output.restore();
    Object.assign(process, before);
    for (const listener of process.stdout.listeners("error")) {
      if (!listeners.includes(listener)) process.stdout.off("error", listener as () => void);
    }
  }
}

/** Collects the output from now on, as if nobody saw it in a terminal. */
function captureOutput(): { printed: Omit<Outcome, "code">; restore: () => void } {
  const printed = { stdout: "", stderr: "" };
  const append = (stream: keyof typeof printed, end: string) => (text: string) => {
    printed[stream] += `${text}${end}`;
    return true;
  };
  const restores = [
    replace(console, "log", append("stdout", "\n")),
    replace(console, "error", append("stderr", "\n")),
    replace(process.stdout, "write", append("stdout", "")),
    replace(process.stderr, "write", append("stderr", "")),
    replace(process.stdout, "columns", undefined),
  ];
  const restore = () => {
    for (const one of restores) one();
  };
  return { printed, restore };
}

/** Replaces a property; returns how to restore it. */
function replace(target: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, own);
  };
}
