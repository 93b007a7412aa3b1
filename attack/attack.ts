/** A person's way in to the dashboard, as `findersfee user create --json` prints it. */
export interface Account {
  email: string;
  /** Sets the password, once. The attacks derive the password from it, so a second run signs in with the same one. */
  link: string;
}

/** The running service under attack, and the keys of one of its organizations. */
export interface Target {
  /** Without a trailing slash. */
  url: string;
  api_key: string;
  publishable_key: string;
  organization_id: string;
  /** An owner of the organization. */
  owner: Account | null;
  /** An owner of another organization. */
  rival: Account | null;
  /** The file with the service's output, which has the mails of a development service. */
  log: string | null;
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

/** Something that an attack needs was not given, so the attack is skipped. */
export class Missing extends Error {
  override readonly name = "Missing";
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
