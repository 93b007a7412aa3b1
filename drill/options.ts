import { parseArgs } from "node:util";
import { FAILURES, type Failure } from "./failures.ts";

export const HELP = `Runs the installation of docs/high-availability.md on this machine, in namespaces of its own, lets its parts fail under
load, and prints what was lost, doubled or stuck. Exits with 1 if a target is missed, and with 3 if it cannot run here: it needs root, and Debian's packages.

  pnpm drill
  pnpm drill --only kill-primary,switchover

  --only      the failures, separated by commas: ${FAILURES.map(({ name }) => name).join(", ")}
  --rate      reports per second (10)
  --tls       every connection to the database has TLS
  --etcd3     Patroni uses version 3 of etcd's API
  --program   the file that Node runs as \`findersfee\`, instead of a new build
`;

export interface Options {
  failures: readonly Failure[];
  per_second: number;
  api: "etcd" | "etcd3";
  tls: boolean;
  /** Null: build it. */
  program: string | null;
}

/** Parses the command line. Throws an error that describes the problem. */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      rate: { type: "string", default: "10" },
      etcd3: { type: "boolean", default: false },
      tls: { type: "boolean", default: false },
      program: { type: "string" },
    },
  });
  const names = values.only?.split(",") ?? FAILURES.map(({ name }) => name);
  const failures = names.map((name) => {
    const failure = FAILURES.find((each) => each.name === name);
    if (failure === undefined) throw new Error(`Unknown failure: ${name}.`);
    return failure;
  });
  const per_second = Number(values.rate);
  if (!(per_second > 0 && per_second <= 100)) throw new Error("--rate is a number from 1 to 100.");
  const api = values.etcd3 ? "etcd3" : "etcd";
  return { failures, per_second, api, tls: values.tls, program: values.program ?? null };
}
