import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { BULK_PART, type BulkChange } from "../../session/bulk-change.ts";

/** A row that the service refused to change. */
export interface RowFailure {
  id: string;
  message: string;
}

export interface BulkProgress {
  /** Rows that were sent: changed ones, those that were so already, and refused ones. */
  done: number;
  changed: number;
  failures: readonly RowFailure[];
}

export const NOTHING_DONE: BulkProgress = { done: 0, changed: 0, failures: [] };

/** Failures that are not of the rows: any other row would fail now, too. */
const OF_SENDER: readonly Failure["status"][] = [0, 401, 403, 408, 429];

function isOfRows({ status }: Failure): boolean {
  return status < 500 && !OF_SENDER.includes(status);
}

/**
 * Sends a change part by part, from where the progress is. A part changes all its rows or none: if the service refuses one, its halves
 * are sent, down to the row that is refused. Ends early if `isStopped`, or by the error of a request that no row caused.
 */
export async function changeInBatches(
  { ids, send }: Pick<BulkChange, "ids" | "send">,
  {
    from,
    onProgress,
    isStopped,
  }: { from: BulkProgress; onProgress: (progress: BulkProgress) => void; isStopped: () => boolean },
): Promise<BulkProgress> {
  let progress = from;
  const report = (change: Partial<BulkProgress>) => {
    progress = { ...progress, ...change };
    onProgress(progress);
  };
  const sendPart = async (part: readonly string[]): Promise<void> => {
    if (part.length === 0 || isStopped()) return;
    try {
      const changed = await send([...part]);
      report({ done: progress.done + part.length, changed: progress.changed + changed });
    } catch (error) {
      const failure = failureOf(error);
      if (!isOfRows(failure)) throw error;
      const [first = "", ...others] = part;
      if (others.length === 0) {
        const failures = [...progress.failures, { id: first, message: failure.message }];
        report({ done: progress.done + 1, failures });
        return;
      }
      const middle = Math.ceil(part.length / 2);
      await sendPart(part.slice(0, middle));
      await sendPart(part.slice(middle));
    }
  };
  while (progress.done < ids.length && !isStopped()) {
    await sendPart(ids.slice(progress.done, progress.done + BULK_PART));
  }
  return progress;
}
