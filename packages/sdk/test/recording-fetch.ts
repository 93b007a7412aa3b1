/** A request that the client sent. */
export interface Sent {
  method: string;
  url: string;
  /** As in `affiliates.get,affiliates.get`. */
  path: string;
  headers: Headers;
  body: string | null;
}

/** Wraps the global `fetch` and records its requests. */
export function recordingFetch(): { sent: Sent[]; fetch: typeof fetch } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: (url, init) => {
      sent.push({
        method: init?.method ?? "GET",
        url: String(url),
        path: new URL(String(url)).pathname.replace(/^.*\/trpc\//, ""),
        headers: new Headers(init?.headers),
        body: typeof init?.body === "string" ? init.body : null,
      });
      return fetch(url, init);
    },
  };
}
