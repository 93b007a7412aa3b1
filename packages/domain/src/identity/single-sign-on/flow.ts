import { randomBytes, timingSafeEqual } from "node:crypto";
import { openSecret, type SecretsKey, sealSecret } from "../../secrets/secrets.ts";

/** A sign-in between its start and the provider's answer. Its browser keeps it, sealed, in a cookie. */
export interface Flow {
  organization_id: string;
  /** A change of the settings ends it. */
  issuer: string;
  client_id: string;
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  code_verifier: string;
  /** The address within the dashboard that follows. */
  to: string;
  /** Milliseconds since 1970. */
  expires_at: number;
}

const MINUTES = 10;
const BYTES = 32;
const OWNER = { purpose: "single_sign_on" } as const;

export function newFlow(about: Pick<Flow, "organization_id" | "issuer" | "client_id" | "to">): Flow {
  const random = () => randomBytes(BYTES).toString("base64url");
  return {
    ...about,
    state: random(),
    nonce: random(),
    code_verifier: random(),
    expires_at: Date.now() + MINUTES * 60_000,
  };
}

/** The value of the cookie. Nothing is stored, so a stranger who starts many sign-ins writes nothing. */
export function sealFlow(secrets_key: SecretsKey, flow: Flow): string {
  return sealSecret(secrets_key, OWNER, JSON.stringify(flow)).toString("base64url");
}

/** The flow of a cookie, if it is one of ours, has the state, and has not expired. */
export function openFlow(
  secrets_key: SecretsKey,
  { cookie, state }: { cookie: string | null; state: string },
): Flow | null {
  if (cookie === null) return null;
  // biome-ignore lint/plugin/swallowed-failure: the browser can send anything; the caller reports it as an expired sign-in
  try {
    const flow: Flow = JSON.parse(openSecret(secrets_key, OWNER, Buffer.from(cookie, "base64url")));
    return isSame(flow.state, state) && flow.expires_at > Date.now() ? flow : null;
  } catch {
    return null;
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
