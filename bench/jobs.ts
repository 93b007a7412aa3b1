/** What a child says when a job is over. */
export type Reply<Answer> = { answer: Answer } | { failure: string };

/** The child's side of `Child`: does what it is asked, and closes when its parent lets go or is gone. */
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
      // Whatever still is open does not matter any more.
      () => process.exit(),
      () => process.exit(1),
    );
  });
}
