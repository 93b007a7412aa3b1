/** The running service under attack, and the keys of one of its organizations. */
export interface Target {
  /** Without a trailing slash. */
  url: string;
  api_key: string;
  publishable_key: string;
  organization_id: string;
  /** Aborts when the attack's time is up. */
  signal: AbortSignal;
}

/**
 * The result of an attack. `repelled`: the service withstood it. `succeeded`: it got through. `skipped`: the
 * service lacks something that the attack needs.
 */
export interface Outcome {
  result: "repelled" | "succeeded" | "skipped";
  detail: string;
}

export interface Attack {
  id: string;
  name: string;
  run: (target: Target) => Promise<Outcome>;
}

export function repelled(detail: string): Outcome {
  return { result: "repelled", detail };
}

export function succeeded(detail: string): Outcome {
  return { result: "succeeded", detail };
}

export function skipped(detail: string): Outcome {
  return { result: "skipped", detail };
}
