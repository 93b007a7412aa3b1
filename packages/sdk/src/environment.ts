/*
 * The Web platform's types under the package's own names. Users may compile with the DOM library, with Node's
 * types, or with neither, and the declarations must be valid in all three cases.
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

/** The environment's `Headers`. */
export type WebHeaders = typeof globalThis extends { Headers: { prototype: infer Known } }
  ? Known
  : { get(name: string): string | null; has(name: string): boolean };

/** The environment's `Request`. */
export type WebRequest = typeof globalThis extends { Request: { prototype: infer Known } }
  ? Known
  : {
      readonly method: string;
      readonly headers: { get(name: string): string | null };
      readonly bodyUsed: boolean;
      readonly body: {
        readonly locked: boolean;
        getReader(): {
          read(): Promise<{ done: boolean; value?: unknown }>;
          cancel(): Promise<void>;
        };
      } | null;
    };

/** The environment's `Response`. */
export type WebResponse = typeof globalThis extends { Response: { prototype: infer Known } }
  ? Known
  : {
      readonly status: number;
      readonly headers: { get(name: string): string | null };
      text(): Promise<string>;
    };
