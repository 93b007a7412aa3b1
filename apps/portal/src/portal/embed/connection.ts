import type { Embedded } from "@findersfee/contract/portal/embed";
import { failureOf } from "@findersfee/ui/requests/failure";
import { post } from "@findersfee/ui/requests/post";
import { useSyncExternalStore } from "react";
import { sendEmbeddedSession } from "../../requests/portal.ts";
import type { ParentPage } from "./parent-page.ts";

export type ConnectionState =
  | { is: "connecting" }
  | { is: "connected"; affiliate_id: string }
  /** No token came, or the service refused it. */
  | { is: "refused" }
  | { is: "failed"; error: unknown };

/** A page that answers takes a request to its backend. */
const PATIENCE_MILLISECONDS = 20_000;
const RENEWED_BEFORE_MILLISECONDS = 5 * 60_000;
const MIN_SESSION_MILLISECONDS = 10_000;

/** The session of the frame, in memory: it begins with a token of the page around it, which renews it with others. */
export class Connection {
  #state: ConnectionState = { is: "connecting" };
  #patience: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  /** If several tokens come at the same time, the last one counts. */
  #exchange = 0;
  readonly #listeners = new Set<() => void>();
  readonly #organization: string;
  readonly #parent: ParentPage;

  constructor(organization: string, parent: ParentPage) {
    this.#organization = organization;
    this.#parent = parent;
  }

  /** With the token in the frame's address; a frame that was loaded again has none. */
  start(token: string): void {
    this.#parent.listen((sent) => void this.#use(sent));
    this.#parent.post({ type: "findersfee:ready" });
    if (token === "") this.#ask();
    else void this.#use(token);
  }

  /** Asks the page for another token, and shows the pages again once it has come. */
  readonly reconnect = (): void => {
    if (this.#state.is === "connecting") return;
    this.#set({ is: "connecting" });
    this.#ask();
  };

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = () => this.#state;

  #ask(): void {
    this.#parent.post({ type: "findersfee:token_needed" });
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#end({ is: "refused" }), PATIENCE_MILLISECONDS);
  }

  async #use(token: string): Promise<void> {
    this.#exchange += 1;
    const exchange = this.#exchange;
    clearTimeout(this.#patience);
    try {
      const organization = this.#organization;
      const { session, expires_at, affiliate_id } = await post<Embedded>("/auth/embed", {
        organization,
        token,
      });
      if (exchange !== this.#exchange) return;
      sendEmbeddedSession(session);
      this.#renewAt(Date.parse(expires_at) - Date.now() - RENEWED_BEFORE_MILLISECONDS);
      this.#set({ is: "connected", affiliate_id });
    } catch (error) {
      if (exchange === this.#exchange)
        this.#end(failureOf(error).code === "link_invalid" ? { is: "refused" } : { is: "failed", error });
    }
  }

  #renewAt(milliseconds: number): void {
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(() => this.#ask(), Math.max(milliseconds, MIN_SESSION_MILLISECONDS));
  }

  /** A renewal that failed changes nothing while the session lasts: after it, requests end in `reconnect`. */
  #end(state: ConnectionState): void {
    if (this.#state.is !== "connected") this.#set(state);
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

export function useConnection(connection: Connection): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.state);
}
