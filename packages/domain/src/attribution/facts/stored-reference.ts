import type { EventReference } from "../decide/outcome.ts";

/** An event's reference as a referral keeps it. */
export function readStoredReference(text: string): EventReference {
  const [, processor, kind, subject] = /^([^:]+):([^:]+):(.+)$/s.exec(text) ?? [];
  if (processor === undefined || kind === undefined || subject === undefined) {
    throw new Error(`a referral is bound by ${text}, which names no payment event`);
  }
  return `${processor}:${kind}:${subject}`;
}
