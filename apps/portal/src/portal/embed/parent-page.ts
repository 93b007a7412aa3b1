/** A message to the page around the frame. */
type Sent =
  | { type: "findersfee:ready" }
  | { type: "findersfee:height"; height: number }
  | { type: "findersfee:token_needed" };

/** The page around the frame. It sends and gets messages only if its origin is one of the organization's. */
export class ParentPage {
  #targets: readonly string[];
  readonly #origins: readonly string[];

  constructor(origins: readonly string[]) {
    this.#origins = origins;
    const parent = parentOrigin();
    this.#targets = parent === null ? origins : origins.filter((origin) => origin === parent);
  }

  post(message: Sent): void {
    for (const origin of this.#targets) window.parent.postMessage(message, origin);
  }

  /** Calls back with each token that the page sends. */
  listen(onToken: (token: string) => void): void {
    window.addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== window.parent || !this.#origins.includes(origin)) return;
      this.#targets = [origin];
      const { type, token } = (data ?? {}) as { type?: unknown; token?: unknown };
      if (type === "findersfee:token" && typeof token === "string") onToken(token);
    });
  }
}

/** Null: neither the browser nor the page says it. Then only the browser finds out which of the origins the page has. */
function parentOrigin(): string | null {
  const { ancestorOrigins } = window.location;
  if (ancestorOrigins?.[0] !== undefined) return ancestorOrigins[0];
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null;
}

/** The origins that the service put into the document. */
export function frameOrigins(): string[] {
  const content = document.querySelector('meta[name="frame-origins"]')?.getAttribute("content") ?? "";
  return content.split(" ").filter((origin) => origin !== "");
}
