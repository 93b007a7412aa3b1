import { captureSpan } from "@findersfee/database/postgres/tracer";
import { DomainError } from "../errors.ts";

/** Limits of a batcher, each per key. */
export interface BatchLimits {
  max_batch_size: number;
  max_concurrent_batches: number;
  /** Items beyond this number are rejected as `unavailable`. */
  max_queued: number;
  /**
   * An item that waits longer is rejected as `unavailable`. By then its caller has timed out or soon will, and may
   * retry: the write could then happen twice.
   */
  max_wait_milliseconds: number;
}

interface QueuedItem<Item, Result> {
  item: Item;
  /** On the monotonic clock. */
  queued_at: number;
  /** Runs work in the span of the item's caller. */
  runWithin: ReturnType<typeof captureSpan>;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

interface Queue<Item, Result> {
  /** Oldest first. */
  items: QueuedItem<Item, Result>[];
  running_batches: number;
}

/**
 * Returns a function that queues an item and resolves with its result. `processBatch` gets the items of one turn of the
 * event loop together. While `max_concurrent_batches` are running, new items wait for the next batch, so batches grow with
 * the load, and a single item waits only for the end of the turn. Items of different keys (such as organizations) are in
 * different batches and do not wait for each other. A result may itself be a promise, which the batch does not wait for.
 *
 * dataloader also batches calls, and is 1.4 times as fast (0.15 us per item, here 0.21 us). But it starts each full batch
 * at once: it limits neither running batches nor queued items, and it rejects no late item. Both are required for writes,
 * because all batches share the connections of one pool.
 */
export function createBatcher<Item, Result>(
  processBatch: (key: string, items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  limits: BatchLimits,
): (key: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Queue<Item, Result>>();

  function startBatches(key: string, queue: Queue<Item, Result>): void {
    rejectLate(queue, limits);
    while (queue.items.length > 0 && queue.running_batches < limits.max_concurrent_batches) {
      const batch = queue.items.splice(0, limits.max_batch_size);
      queue.running_batches++;
      const items = batch.map(({ item }) => item);
      // A batch is one statement of several requests: the first one's trace has it.
      const runWithin = batch[0]?.runWithin ?? captureSpan();
      void resolveBatch(batch, () => runWithin(() => processBatch(key, items))).then(() => {
        queue.running_batches--;
        startBatches(key, queue);
      });
    }
    if (queue.running_batches === 0 && queues.get(key) === queue) queues.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      let queue = queues.get(key);
      if (queue === undefined) {
        queue = { items: [], running_batches: 0 };
        queues.set(key, queue);
      }
      if (queue.items.length >= limits.max_queued) rejectLate(queue, limits);
      if (queue.items.length >= limits.max_queued) {
        reject(new DomainError("unavailable"));
        return;
      }
      queue.items.push({ item, queued_at: performance.now(), runWithin: captureSpan(), resolve, reject });
      if (queue.items.length === 1) setImmediate(startBatches, key, queue);
    });
}

function rejectLate<Item, Result>(
  { items }: Queue<Item, Result>,
  { max_wait_milliseconds }: BatchLimits,
): void {
  const earliest = performance.now() - max_wait_milliseconds;
  const first_in_time = items.findIndex(({ queued_at }) => queued_at >= earliest);
  const late = items.splice(0, first_in_time === -1 ? items.length : first_in_time);
  for (const { reject } of late) reject(new DomainError("unavailable"));
}

async function resolveBatch<Item, Result>(
  batch: QueuedItem<Item, Result>[],
  processBatch: () => Promise<(Result | Promise<Result>)[]>,
): Promise<void> {
  try {
    const results = await processBatch();
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result | Promise<Result>);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
