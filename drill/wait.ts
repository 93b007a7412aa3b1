const INTERVAL_MILLISECONDS = 100;

/** Waits until `probe` resolves with something else than null, and returns that. An error of the probe counts as null. */
export async function until<Result>(
  condition: string,
  seconds: number,
  probe: () => Promise<Result | null>,
): Promise<Result> {
  const deadline = performance.now() + seconds * 1000;
  let reason = "";
  for (;;) {
    try {
      const result = await probe();
      if (result !== null) return result;
    } catch (error) {
      reason = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (performance.now() > deadline)
      throw new Error(`After ${seconds} s, it was not true that ${condition}${reason}`);
    await pass(INTERVAL_MILLISECONDS);
  }
}

/** Lets time pass that a failure lasts, or that load takes. */
export function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Gets a text over HTTP; throws unless the status is 200. */
export async function get(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}: ${text}`);
  return text;
}
