/** The text that the service signed: `<id>.<timestamp>.<body>`. */
export interface SignedContent {
  id: string;
  timestamp: string;
  body: string;
}

/** The content that a receiver got, as far as it is known. */
export interface ReceivedContent extends Partial<SignedContent> {
  /** The header `webhook-signature`. */
  signature?: string;
}

export type StepName = "secret" | "id" | "timestamp" | "body" | "signature";

/** A step of the check of a signature: right, wrong for a reason, or unknown because a part was not given. */
export interface Step {
  name: StepName;
  result: "right" | "unknown" | Problem;
}

export type Problem =
  | "not_a_secret"
  | "not_base64"
  | "other_id"
  | "other_timestamp"
  | "other_body"
  | "same_json"
  | "other_secret"
  | "no_version";

const PREFIX = "whsec_";

export function signedText({ id, timestamp, body }: SignedContent): string {
  return `${id}.${timestamp}.${body}`;
}

/** The bytes of a secret; or why it is none. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> | Problem {
  if (!secret.startsWith(PREFIX)) return "not_a_secret";
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not base64, which the page says
  try {
    const binary = atob(secret.slice(PREFIX.length));
    return binary === "" ? "not_base64" : Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return "not_base64";
  }
}

async function sign(text: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}

/**
 * Checks each step of verifying a signature, in the order in which receivers do. `expected`: the signature that the secret makes;
 * null: it is no secret.
 */
export async function examine(
  sent: SignedContent,
  { secret, received }: { secret: string; received: ReceivedContent },
): Promise<{ expected: string | null; steps: Step[] }> {
  const key = keyOf(secret.trim());
  const expected = typeof key === "string" ? null : await sign(signedText(sent), key);
  return {
    expected,
    steps: [
      { name: "secret", result: typeof key === "string" ? key : "right" },
      { name: "id", result: compare(received.id, sent.id, "other_id") },
      { name: "timestamp", result: compare(received.timestamp, sent.timestamp, "other_timestamp") },
      { name: "body", result: bodyResult(received.body, sent.body) },
      { name: "signature", result: signatureResult(received.signature, expected) },
    ],
  };
}

function compare(received: string | undefined, sent: string, problem: Problem): Step["result"] {
  if (received === undefined) return "unknown";
  return received.trim() === sent ? "right" : problem;
}

function bodyResult(received: string | undefined, sent: string): Step["result"] {
  if (received === undefined) return "unknown";
  if (received === sent) return "right";
  return canonical(received) === canonical(sent) ? "same_json" : "other_body";
}

/** A JSON text with sorted keys and without spaces; other text as it is. */
function canonical(text: string): string {
  // biome-ignore lint/plugin/swallowed-failure: text that is not JSON is compared as it is
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}

function signatureResult(received: string | undefined, expected: string | null): Step["result"] {
  if (received === undefined || expected === null) return "unknown";
  const signatures = received.trim().split(/\s+/);
  if (!signatures.some((item) => item.startsWith("v1,"))) return "no_version";
  return signatures.includes(expected) ? "right" : "other_secret";
}
