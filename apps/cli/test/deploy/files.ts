import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "@findersfee/api/testing/openapi/documents";
import { parse } from "yaml";

export const DEPLOY = join(ROOT, "deploy");

export function readDeployed(name: string): Promise<string> {
  return readFile(join(DEPLOY, name), "utf8");
}

/** Whether this machine has a command. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Runs a command to its end. */
export async function outcomeOf(
  [program = "", ...parameters]: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; uid?: number } = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, parameters, {
    ...options,
    env: { PATH: process.env.PATH ?? "", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

/** The Dockerfile's settings for the processes of an image. */
export interface Image {
  entrypoint: string[];
  command: string[];
  health_check: string[];
  environment: Record<string, string>;
  /** The numeric user. */
  uid: number;
  /** The folder that belongs to the user, as does a new volume that is mounted there. */
  owned_folder: string;
}

export async function readImage(): Promise<Image> {
  const text = await readDeployed("Dockerfile");
  const vector = (pattern: RegExp): string[] => JSON.parse(pattern.exec(text)?.[1] ?? "null");
  const environment = /^ENV (.*)$/m.exec(text)?.[1] ?? "";
  return {
    entrypoint: vector(/^ENTRYPOINT (\[.*\])$/m),
    command: vector(/^CMD (\[.*\])$/m),
    health_check: vector(/^HEALTHCHECK .*CMD (\[.*\])$/m),
    environment: Object.fromEntries(
      environment.split(" ").map((pair) => pair.split("=") as [string, string]),
    ),
    uid: Number(/^USER (\d+):\d+$/m.exec(text)?.[1]),
    owned_folder:
      /^COPY --from=build --chown=(\d+):\1 \S+ (\S+)\n(?:.*\n)*USER \1:\1$/m.exec(text)?.[2] ?? "",
  };
}

/** A service of the compose file. */
export interface ComposeService {
  image: string;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
  volumes?: string[];
  environment?: Record<string, string>;
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
  configs: { userlist: { content: string } };
  volumes: Record<string, unknown>;
}

/** The compose file, with these variables. */
export async function readCompose(variables: Record<string, string>): Promise<Compose> {
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+)(?::\?|:-([^}]*))\}/g, (_, name: string, fallback?: string) => {
      const value = variables[name] ?? fallback;
      if (value === undefined) throw new Error(`The compose file needs ${name}.`);
      return value;
    });
  const text = await readDeployed("compose/compose.yml");
  // As Compose does, which puts variables into strings once it has read the file.
  return parse(text, (_, value: unknown) => (typeof value === "string" ? filled(value) : value), {
    merge: true,
  });
}
