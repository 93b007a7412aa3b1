import type { PortalToken } from "./resources/resources.ts";

/** A new token, as `portal_tokens.create` returns it to your backend. */
export type EmbedToken = Pick<PortalToken, "token" | "url">;

export interface EmbedOptions {
  /** The element that the frame goes into. */
  element: HTMLElement;
  /** Gets a new token from your backend: at the start, and whenever the frame needs another one. */
  getToken: () => Promise<EmbedToken>;
  /** The language of the portal. Default: the browser's. */
  language?: "en" | "de";
  /** The colors of the portal. Default: the system's. */
  theme?: "light" | "dark";
  /** The name of the frame, for screen readers. Default: `Affiliate portal`. */
  title?: string;
  /** Called with each failure: `getToken` rejected, or the browser refused the frame. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

/** A portal in the page. */
export interface EmbeddedPortal {
  /** Removes the frame and stops listening to it. */
  remove(): void;
}

/**
 * The browser shows an error page in place of a frame that it refuses. The page learns only that something has loaded, and a portal that
 * has loaded says so within these. Without any answer of the service, nothing loads.
 */
const LOADED_PATIENCE_MILLISECONDS = 4_000;
const PATIENCE_MILLISECONDS = 20_000;
/** Taller than any page of the portal. */
const MAX_HEIGHT = 100_000;

/**
 * Shows the affiliate's portal in the page: creates the frame, hands it a token whenever it needs one, and makes it as tall as
 * its content. The organization's settings must list this page's origin.
 */
export function embedPortal(options: EmbedOptions): EmbeddedPortal {
  const portal = new PortalFrame(options);
  portal.open();
  return { remove: () => portal.remove() };
}

class PortalFrame {
  readonly #options: EmbedOptions;
  readonly #frame = document.createElement("iframe");
  #origin = "";
  #is_removed = false;
  #is_asking = false;
  #is_ready = false;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(options: EmbedOptions) {
    this.#options = options;
  }

  open(): void {
    this.#ask(({ url }) => {
      const { element, language, theme, title = "Affiliate portal" } = this.#options;
      const address = new URL(url);
      if (language !== undefined) address.searchParams.set("lang", language);
      if (theme !== undefined) address.searchParams.set("theme", theme);
      this.#origin = address.origin;
      window.addEventListener("message", this.#receive);
      const frame = this.#frame;
      frame.title = title;
      // The portal's buttons that copy links.
      frame.allow = "clipboard-write";
      Object.assign(frame.style, { display: "block", width: "100%", border: "0" });
      frame.src = address.href;
      frame.addEventListener("load", () => this.#await(LOADED_PATIENCE_MILLISECONDS), { once: true });
      this.#await(PATIENCE_MILLISECONDS);
      element.append(frame);
    });
  }

  /** Fails if the portal does not say that it is ready in time. */
  #await(milliseconds: number): void {
    clearTimeout(this.#patience);
    if (this.#is_ready || this.#is_removed) return;
    this.#patience = setTimeout(() => this.#fail(this.#refusal()), milliseconds);
  }

  remove(): void {
    this.#is_removed = true;
    clearTimeout(this.#patience);
    window.removeEventListener("message", this.#receive);
    this.#frame.remove();
  }

  /** Other frames and windows send messages, too. */
  readonly #receive = (event: MessageEvent<unknown>): void => {
    if (event.source !== this.#frame.contentWindow || event.origin !== this.#origin) return;
    const { type, height } = (event.data ?? {}) as { type?: unknown; height?: unknown };
    if (type === "findersfee:ready") this.#becomeReady();
    if (type === "findersfee:token_needed") this.#ask(({ token }) => this.#send(token));
    if (type === "findersfee:height" && typeof height === "number" && height >= 0)
      this.#frame.style.height = `${Math.min(Math.ceil(height), MAX_HEIGHT)}px`;
  };

  #becomeReady(): void {
    this.#is_ready = true;
    clearTimeout(this.#patience);
  }

  #send(token: string): void {
    this.#frame.contentWindow?.postMessage({ type: "findersfee:token", token }, this.#origin);
  }

  /** One token at a time. */
  #ask(use: (token: EmbedToken) => void): void {
    if (this.#is_asking) return;
    this.#is_asking = true;
    const asked = new Promise<EmbedToken>((resolve) => resolve(this.#options.getToken()));
    asked
      .finally(() => {
        this.#is_asking = false;
      })
      .then((token) => {
        if (!this.#is_removed) use(token);
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #refusal(): Error {
    return new Error(
      `The portal did not load. Add ${window.location.origin} to the portal's frame origins in the organization's settings, and ${this.#origin} to this page's frame-src if it has a content security policy.`,
    );
  }

  #fail(error: unknown): void {
    if (this.#is_removed) return;
    const { onError = report } = this.#options;
    onError(error);
  }
}

function report(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: without `onError`, this is how the developer learns of the failure
  console.error("Findersfee: the portal could not be embedded.", error);
}
