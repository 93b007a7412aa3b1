/** Pnpm passes on the Ctrl-C that the terminal has sent to all of us already; that is not a second one. */
const ECHO_MILLISECONDS = 1000;

/**
 * The request to stop: aborted by the first SIGINT, SIGTERM or SIGHUP (a closed terminal). A second one
 * ends the process at once.
 */
export function listenForShutdown(): AbortSignal {
  const controller = new AbortController();
  let requested_at: number | null = null;
  const onSignal = () => {
    if (requested_at === null) {
      requested_at = performance.now();
      controller.abort();
    } else if (performance.now() - requested_at > ECHO_MILLISECONDS) {
      process.exit(1);
    }
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
  return controller.signal;
}

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** What has been opened, to be closed in the opposite order. */
export class Opened {
  readonly #closers: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Closes everything, also when some of it fails; then throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      await close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
