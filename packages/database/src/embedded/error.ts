/** The embedded Postgres cannot run. The message says why, and what can be done, in one line. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
