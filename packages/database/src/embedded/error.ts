/** The embedded Postgres cannot run. The message has the reason and a remedy in one line. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
