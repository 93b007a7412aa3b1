import type { Database } from "@findersfee/database/postgres/connect";
import { isOutage } from "@findersfee/database/postgres/errors";
import { inSpan, type NewSpan } from "@findersfee/database/postgres/tracer";
import type { WorkKind } from "@findersfee/database/work/due-work";
import { findDueOrganizations, NO_ORGANIZATION } from "@findersfee/database/work/due-work";
import { ShardLost, type ShardOwner, shardOf } from "@findersfee/database/work/shards";
import type { Logger } from "pino";
import { Backoffs } from "./backoffs.ts";
import type { Consumer, NextTurn, TurnResult } from "./consumer.ts";
import { pause } from "./pause.ts";
import { PollTimer } from "./poll-timer.ts";
import type { Shards } from "./shards/shards.ts";

/** Organizations of one search; the next one continues after the last one. */
const PAGE = 200;
/** How long a turn may continue after its shard was released. Then it is abandoned; the fence keeps it from changing rows. */
const GRACE_MILLISECONDS = 16_000;
/** While the database is away, all turns wait. */
const OUTAGE_MILLISECONDS = 500;

export interface ConsumerLoopDependencies {
  database: Database;
  log: Logger;
  shards: Pick<Shards, "owned" | "ownerOf" | "lost">;
  onResult: (result: TurnResult) => void;
}

interface RunningTurn {
  shard: number;
  ending: AbortController;
  ended: Promise<void>;
  /** Whether new work was announced during the turn. */
  is_notified: boolean;
}

/** Gives the organizations of the owned shards their turns with one consumer, in rounds: none waits for another's backlog. */
export class ConsumerLoop {
  readonly #consumer: Consumer;
  readonly #dependencies: ConsumerLoopDependencies;
  /** Organizations that wait for their turn, in its order. */
  readonly #ready = new Set<string>();
  readonly #running = new Map<string, RunningTurn>();
  readonly #backoffs = new Backoffs((organization_id) => this.offer(organization_id));
  readonly #timer: PollTimer;
  /** Where the next search begins. */
  #after = NO_ORGANIZATION;
  #paused_until = 0;
  #is_stopped = false;

  constructor(consumer: Consumer, dependencies: ConsumerLoopDependencies) {
    this.#consumer = consumer;
    this.#dependencies = dependencies;
    this.#timer = new PollTimer(consumer.search_milliseconds, () => this.#search());
  }

  start(): void {
    this.#timer.start();
  }

  /** Begins nothing more; resolves when the turns have ended, or are abandoned. */
  async stop(): Promise<void> {
    this.#is_stopped = true;
    this.#ready.clear();
    this.#backoffs.endAll();
    const turns = [...this.#running.values()];
    await Promise.all([this.#timer.stop(), this.#end(turns)]);
  }

  /** An organization has new work: its turn comes also if it waits after a failure. */
  notify(organization_id: string): void {
    if (this.#dependencies.shards.ownerOf(organization_id) === null) return;
    this.#backoffs.end(organization_id);
    this.offer(organization_id);
  }

  /** The same, unless the organization waits. */
  offer(organization_id: string): void {
    const running = this.#running.get(organization_id);
    if (running !== undefined) running.is_notified = true;
    else this.#enter(organization_id);
  }

  /** Searches all owned shards within `milliseconds`. */
  search(milliseconds: number): void {
    this.#timer.request(milliseconds);
  }

  /** Begins no more turns for a shard; resolves when its turns have ended, or are abandoned. */
  async release(shard: number): Promise<void> {
    for (const organization_id of this.#ready) {
      if (shardOf(organization_id) === shard) this.#ready.delete(organization_id);
    }
    await this.#end([...this.#running.values()].filter((turn) => turn.shard === shard));
  }

  async #end(turns: readonly RunningTurn[]): Promise<void> {
    if (turns.length === 0) return;
    for (const { ending } of turns) ending.abort();
    const grace = new AbortController();
    const ended = Promise.all(turns.map((turn) => turn.ended));
    await Promise.race([ended, pause(GRACE_MILLISECONDS, grace.signal)]);
    grace.abort();
  }

  async #search(): Promise<void> {
    const { database, log, shards } = this.#dependencies;
    const owners = shards.owned;
    if (owners.length === 0) return;
    try {
      const { organization_ids, lost } = await findDueOrganizations(database, this.#consumer.kind, {
        owners,
        after: this.#after,
        limit: PAGE,
      });
      // Only shards that this process still has by the token that it asked with.
      for (const shard of lost) if (isSame(shards.owned, owners, shard)) shards.lost(shard);
      const is_full = organization_ids.length === PAGE;
      if (is_full || this.#after !== NO_ORGANIZATION) this.search(this.#consumer.search_milliseconds / 10);
      this.#after = (is_full ? organization_ids.at(-1) : undefined) ?? NO_ORGANIZATION;
      for (const organization_id of organization_ids) this.#enter(organization_id);
    } catch (error) {
      log.warn({ err: error, kind: this.#consumer.kind }, "failed to search for due work");
    }
  }

  #enter(organization_id: string): void {
    if (this.#is_stopped || this.#running.has(organization_id) || this.#backoffs.isWaiting(organization_id))
      return;
    this.#ready.add(organization_id);
    this.#pump();
  }

  #pump(): void {
    const { shards } = this.#dependencies;
    while (this.#running.size < this.#consumer.organizations_at_once) {
      if (this.#is_stopped || performance.now() < this.#paused_until) return;
      const [organization_id] = this.#ready;
      if (organization_id === undefined) return;
      this.#ready.delete(organization_id);
      const owner = shards.ownerOf(organization_id);
      if (owner !== null) this.#begin(organization_id, owner);
    }
  }

  #begin(organization_id: string, owner: ShardOwner): void {
    const ending = new AbortController();
    const ended = this.#run(organization_id, owner, ending.signal).then((next) => {
      const is_notified = this.#running.get(organization_id)?.is_notified === true;
      this.#running.delete(organization_id);
      this.#plan(organization_id, is_notified && next === "idle" ? "more" : next);
      this.#pump();
    });
    this.#running.set(organization_id, { shard: owner.shard, ending, ended, is_notified: false });
  }

  async #run(organization_id: string, owner: ShardOwner, signal: AbortSignal): Promise<NextTurn | "failed"> {
    const { log, shards, onResult } = this.#dependencies;
    try {
      const { kind } = this.#consumer;
      const result = await inSpan(turnSpan(kind, organization_id), () =>
        this.#consumer.run({ organization_id, owner, signal }),
      );
      this.#backoffs.succeeded(organization_id);
      onResult(result);
      return result.next;
    } catch (error) {
      const { kind } = this.#consumer;
      if (error instanceof ShardLost) {
        shards.lost(error.shard);
        return "idle";
      }
      if (isOutage(error)) {
        log.warn({ err: error, kind }, "the database is unavailable: work waits");
        return { milliseconds: OUTAGE_MILLISECONDS, of: "everyone" };
      }
      log.error({ err: error, kind, organization_id }, "a turn of work failed: it is repeated later");
      return "failed";
    }
  }

  #plan(organization_id: string, next: NextTurn | "failed"): void {
    if (this.#is_stopped || next === "idle") return;
    if (next === "more") this.#enter(organization_id);
    else if (next === "failed") this.#backoffs.failed(organization_id);
    else {
      this.#backoffs.wait(organization_id, next.milliseconds);
      if (next.of === "everyone") this.#pause(next.milliseconds);
    }
  }

  #pause(milliseconds: number): void {
    this.#paused_until = performance.now() + milliseconds;
    setTimeout(() => this.#pump(), milliseconds + 1).unref();
  }
}

function turnSpan(kind: WorkKind, organization_id: string): NewSpan {
  const attributes = { "findersfee.work.kind": kind, "findersfee.organization.id": organization_id };
  return { name: `work ${kind}`, kind: "consumer", attributes };
}

function isSame(owned: readonly ShardOwner[], asked: readonly ShardOwner[], shard: number): boolean {
  const tokenOf = (owners: readonly ShardOwner[]) => owners.find((owner) => owner.shard === shard)?.token;
  return tokenOf(owned) === tokenOf(asked);
}
