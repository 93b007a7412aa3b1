import { post } from "@findersfee/ui/requests/post";

const STORED = "sign-in";

/** A code that this tab has asked for. */
export interface RequestedCode {
  email: string;
  /** In milliseconds since 1970. */
  sent_at: number;
}

/** Asks for a code. The answer is the same for unknown addresses. */
export async function requestCode(email: string): Promise<RequestedCode> {
  await post("/auth/code", { email });
  return { email, sent_at: Date.now() };
}

export function readRequested(): RequestedCode | null {
  const stored = sessionStorage.getItem(STORED);
  return stored === null ? null : JSON.parse(stored);
}

export function storeRequested(requested: RequestedCode | null): void {
  if (requested === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, JSON.stringify(requested));
}
