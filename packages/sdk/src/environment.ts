/*
 * The Web platform's types under names of our own: whoever installs the SDK may compile with the DOM's
 * library, with Node's types, or with neither, and its declarations must be valid in all three.
 */

/** The environment's `AbortSignal`. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: "abort", listener: () => void): void;
      removeEventListener(type: "abort", listener: () => void): void;
    };

/** The environment's `fetch`. */
export type Fetch = typeof globalThis extends { fetch: infer Known }
  ? Known
  : (url: string, init?: object) => Promise<object>;
