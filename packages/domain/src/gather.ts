import { DomainError } from "./errors.ts";

/** How much is done together, and how much waits for it; all of it for each key. */
export interface GatherLimits {
  /** Items of one piece of work at most. */
  items: number;
  /** Pieces of work under way at once. */
  at_once: number;
  /** Items that wait at most; more are refused as `unavailable`. */
  waiting: number;
  /**
   * Those that waited longer are refused as well. By then whoever asked has given up, or soon will, and may
   * ask again: what is done for nobody could be done twice.
   */
  wait_milliseconds: number;
}

interface Waiting<Item, Result> {
  item: Item;
  /** On the monotonic clock. */
  since: number;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

interface Group<Item, Result> {
  /** In the order of their coming. */
  waiting: Waiting<Item, Result>[];
  running: number;
}

/**
 * Gathers items that come in the same turn of the event loop, and does them together; while as much is
 * under way as may be, those that come meanwhile wait and are gathered too. Alone, an item waits for nothing
 * but the turn's end; the busier the process, the more is done at once. Items of different keys (say,
 * organizations) are never done together and do not wait for each other. An item whose result is a promise
 * goes on by itself.
 */
export function gather<Item, Result>(
  work: (key: string, items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  limits: GatherLimits,
): (key: string, item: Item) => Promise<Result> {
  const groups = new Map<string, Group<Item, Result>>();

  function start(key: string, group: Group<Item, Result>): void {
    refuseLate(group, limits);
    while (group.waiting.length > 0 && group.running < limits.at_once) {
      const batch = group.waiting.splice(0, limits.items);
      group.running++;
      const items = batch.map(({ item }) => item);
      void settle(batch, () => work(key, items)).then(() => {
        group.running--;
        start(key, group);
      });
    }
    if (group.running === 0 && groups.get(key) === group) groups.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      let group = groups.get(key);
      if (group === undefined) {
        group = { waiting: [], running: 0 };
        groups.set(key, group);
      }
      if (group.waiting.length >= limits.waiting) refuseLate(group, limits);
      if (group.waiting.length >= limits.waiting) {
        reject(new DomainError("unavailable"));
        return;
      }
      group.waiting.push({ item, since: performance.now(), resolve, reject });
      if (group.waiting.length === 1) setImmediate(start, key, group);
    });
}

function refuseLate<Item, Result>(
  { waiting }: Group<Item, Result>,
  { wait_milliseconds }: GatherLimits,
): void {
  const earliest = performance.now() - wait_milliseconds;
  const in_time = waiting.findIndex(({ since }) => since >= earliest);
  const late = waiting.splice(0, in_time === -1 ? waiting.length : in_time);
  for (const { reject } of late) reject(new DomainError("unavailable"));
}

async function settle<Item, Result>(
  batch: Waiting<Item, Result>[],
  work: () => Promise<(Result | Promise<Result>)[]>,
): Promise<void> {
  try {
    const results = await work();
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result | Promise<Result>);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
