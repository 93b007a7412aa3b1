/** A child's message when a job is done. */
export type Reply<Answer> = { answer: Answer } | { failure: string };

/** The child's side of `Child`: runs jobs, and closes when its parent disconnects. */
export function answerJobs<Job, Answer>(
  work: (job: Job) => Promise<Answer>,
  close: () => Promise<void> = async () => {},
): void {
  const reply = (message: Reply<Answer>) => process.send?.(message);
  process.on("message", (job: Job) => {
    work(job).then(
      (answer) => reply({ answer }),
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
