import { once } from "node:events";
import { eventually } from "@findersfee/database/testing/eventually";
import { CommandLine, type Environment } from "./command-line.ts";
import type { Poster } from "./posting.ts";

/** Resolves when so many things are there. */
export async function until(count: number, things: () => readonly unknown[]): Promise<void> {
  await eventually(() => {
    if (things().length < count) throw new Error(`${things().length} of ${count} have come`);
  });
}

/** A `findersfee listen` process. */
export class Listening extends CommandLine {
  constructor(parameters: string, environment: Environment) {
    super(["listen", ...parameters.split(" ").filter(Boolean)], environment);
  }

  /** Resolves with what the pattern finds in what it says beside its events. */
  async notes(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.stderr);
      if (found !== null) return found[1] ?? found[0];
      if (this.hasClosed) throw new Error(`The process exited before printing ${pattern}: ${this.stderr}`);
      await Promise.race([once(this.child.stderr ?? this.child, "data"), this.closed]);
    }
  }

  /** The events of its lines. */
  ids(): string[] {
    return (this.stdout.match(/^\d{4}-\S+ +\S+ +[\w-]{36}/gm) ?? []).map((line) => line.slice(-36));
  }
}

/**
 * Resolves when the feed shows so many events, so that who begins with now gets none of them. The feed waits for every
 * open transaction of the server, those of other tests' databases too.
 */
export async function feedShows({ url, api_key }: Poster, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${api_key}` };
  await eventually(async () => {
    const answer = await fetch(`${url}/v1/events?limit=100`, { headers });
    const { data }: { data: unknown[] } = JSON.parse(await answer.text());
    if (data.length < count) throw new Error(`the feed shows ${data.length} of ${count} events`);
  });
}
