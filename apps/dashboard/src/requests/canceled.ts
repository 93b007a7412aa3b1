/** The person did not want a change any more, so there is nothing to say. */
export class Canceled extends Error {}

export function isCanceled(error: unknown): boolean {
  return error instanceof Canceled;
}
