/** How much is done together. */
interface GatherLimits {
  /** Items of one piece of work at most. */
  items: number;
  /** Pieces of work under way at once, for each key. */
  at_once: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Group<Item, Result> {
  waiting: Waiting<Item, Result>[];
  running: number;
}

/**
 * Gathers items that come in the same turn of the event loop, and does them together; while as much is
 * under way as may be, those that come meanwhile wait and are gathered too. Alone, an item waits for nothing
 * but the turn's end; the busier the process, the more is done at once. Items of different keys (say,
 * organizations) are never done together and do not wait for each other.
 */
export function gather<Item, Result>(
  work: (key: string, items: Item[]) => Promise<Result[]>,
  limits: GatherLimits,
): (key: string, item: Item) => Promise<Result> {
  const groups = new Map<string, Group<Item, Result>>();

  function start(key: string, group: Group<Item, Result>): void {
    while (group.waiting.length > 0 && group.running < limits.at_once) {
      const batch = group.waiting.splice(0, limits.items);
      group.running++;
      void settle(
        batch,
        work(
          key,
          batch.map(({ item }) => item),
        ),
      ).then(() => {
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
      group.waiting.push({ item, resolve, reject });
      if (group.waiting.length === 1) setImmediate(start, key, group);
    });
}

async function settle<Item, Result>(batch: Waiting<Item, Result>[], work: Promise<Result[]>): Promise<void> {
  try {
    const results = await work;
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
