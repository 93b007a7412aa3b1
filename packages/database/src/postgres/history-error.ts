/** The code of a statement that was not sent, because the database may not have the history that this process knows. */
export const HISTORY_CODE = "HISTORY_UNKNOWN";

/** A statement was not sent. It counts as one in an outage: callers may try again later. */
export class HistoryError extends Error {
  readonly code = HISTORY_CODE;

  constructor(message: string) {
    super(message);
    this.name = "HistoryError";
  }
}
