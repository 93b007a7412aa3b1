/** A child's message when a job is done. */
export type Reply<Result> = { result: Result } | { failure: string };

/** The child's side of `Child`: runs jobs, and closes when its parent disconnects. */
export function runJobs<Job, Result>(
  work: (job: Job) => Promise<Result>,
  close: () => Promise<void> = async () => {},
): void {
  const reply = (message: Reply<Result>) => process.send?.(message);
  process.on("message", (job: Job) => {
    work(job).then(
      (result) => reply({ result }),
      (error: unknown) =>
        reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.once("disconnect", () => {
    close().then(
      // Anything still open no longer matters.
      () => process.exit(),
      () => process.exit(1),
    );
  });
}
