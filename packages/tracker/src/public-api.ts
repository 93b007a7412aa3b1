/** As the service answers. */
export interface ClickDiscount {
  affiliate: { name: string | null; code: string } | null;
  discount: { promotion_code: string | null; code: string; description: string | null } | null;
  reason: string | null;
}

/** The options of a sign-up. A customer id in their place, as other services take it, is ignored. */
export type ReferOptions = string | { signature?: string };

/**
 * A call that waits for the script. Without an email it asks for the click and gets its id; with a boolean,
 * it brings the visitor's decision. After it was stored for the next page, nobody awaits its result.
 */
export type Call = [
  done: ((result: unknown) => void) | null,
  email?: string | undefined,
  options?: ReferOptions | boolean | undefined,
];

/** `window.findersfee`. */
export interface PublicApi {
  /** The click id for a checkout; null when the visitor was not referred. Undefined before the script has arrived. */
  clickId?: string | null;
  /** The click's id once the visit is recorded; null without one, and after three seconds at the latest. */
  ready?: Promise<string | null>;
  /** Reports a sign-up: the response, or null if there was none within three seconds. Never rejects. */
  refer(email: string, options?: ReferOptions): Promise<{ accepted: true } | null>;
  /** The discount by link of the visitor's click, with `discount.js`; null: no click, or no answer. Never rejects. */
  discount?(): Promise<ClickDiscount | null>;
  /** Brings the visitor's decision, for tags with `data-consent`. Resolves like `ready`. */
  consent?(is_given: boolean): Promise<string | null>;
  /** Calls that wait for the script, or for the visit to be recorded. */
  q: Call[];
  /** The landing page's address. */
  href: string;
}

/** For a page without the snippet, which has `ready` and `consent`. */
export function createApi(): PublicApi {
  const q: Call[] = [];
  const refer = (...call: [email: string, options?: ReferOptions]): Promise<never> =>
    new Promise((done) => {
      q.push([done as Call[0], ...call]);
      setTimeout(done, 3_000, null);
    });
  return { q, href: location.href, refer };
}

declare global {
  interface Window {
    findersfee?: PublicApi;
  }
  interface Document {
    prerendering?: boolean;
  }
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}
