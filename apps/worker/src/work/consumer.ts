import type { WorkKind } from "@findersfee/database/work/due-work";
import type { ShardOwner } from "@findersfee/database/work/shards";

/** One turn of an organization: a bounded batch of its due work. */
export interface Turn {
  organization_id: string;
  /** Fences every statement that reads, completes or postpones the work. */
  owner: ShardOwner;
  /** Aborts when the shard is given up: nothing more is begun. */
  signal: AbortSignal;
}

/** When the organization has its next turn. */
export type NextTurn =
  /** When more of its work becomes due. */
  | "idle"
  /** After the other organizations: there may be more due work. */
  | "more"
  /** After a while. `everyone`: the other organizations wait, too, since a shared server does not answer. */
  | { milliseconds: number; of: "organization" | "everyone" };

export interface TurnResult {
  completed?: number;
  /** Retried later. */
  failed?: number;
  /** Given up until staff retry it. */
  dead_lettered?: number;
  next: NextTurn;
}

/** Does one kind of work. Everything it needs to continue after a crash is in the rows. */
export interface Consumer {
  kind: WorkKind;
  /** Organizations at once in one worker. */
  organizations_at_once: number;
  /** Between two searches for due work that no notification announced. */
  search_milliseconds: number;
  /** Rejects if the turn failed as a whole; it is repeated after a backoff. */
  run(turn: Turn): Promise<TurnResult>;
}
