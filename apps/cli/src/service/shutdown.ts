/** Pnpm forwards the Ctrl-C that the terminal already sent to all processes; that is not a second signal. */
const ECHO_MILLISECONDS = 1000;

/**
 * The stop signal: aborted by the first SIGINT, SIGTERM or SIGHUP (a closed terminal). A second one exits the
 * process immediately.
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

/** Opened resources, closed in reverse order. */
export class Opened {
  readonly #closers: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Closes everything even if some closing fails; then throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      await close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
