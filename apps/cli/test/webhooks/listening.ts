import { once } from "node:events";
import { eventually } from "@findersfee/database/testing/eventually";
import { CommandLine, type Environment } from "../command-line.ts";
import type { Poster } from "./posting.ts";

/** Resolves when there are this many items. */
export async function until(count: number, things: () => readonly unknown[]): Promise<void> {
  await eventually(() => {
    if (things().length < count) throw new Error(`${things().length} of ${count} arrived`);
  });
}

/** A `findersfee listen` process. */
export class Listening extends CommandLine {
  constructor(parameters: string, environment: Environment) {
    super(["listen", ...parameters.split(" ").filter(Boolean)], environment);
  }

  /** Resolves with the match of the pattern in its notices. */
  async notes(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.stderr);
      if (found !== null) return found[1] ?? found[0];
      if (this.hasClosed) throw new Error(`The process exited before printing ${pattern}: ${this.stderr}`);
      await Promise.race([once(this.child.stderr ?? this.child, "data"), this.closed]);
    }
  }

  /** The events on its lines. */
  ids(): string[] {
    return (this.stdout.match(/^\d{4}-\S+ +\S+ +[\w-]{36}/gm) ?? []).map((line) => line.slice(-36));
  }
}

/**
 * Resolves when the feed shows this many events, so that a new listener gets none of them. The feed waits for
 * every open transaction on the server, including those of other tests' databases.
 */
export async function feedShows({ url, api_key }: Poster, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${api_key}` };
  await eventually(async () => {
    const answer = await fetch(`${url}/v1/events?limit=100`, { headers });
    const { data }: { data: unknown[] } = JSON.parse(await answer.text());
    if (data.length < count) throw new Error(`the feed shows ${data.length} of ${count} events`);
  });
}
