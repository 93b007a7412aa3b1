import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { failureOf } from "./failure.ts";

const FRESH_MILLISECONDS = 10_000;
const TRIES = 3;

/** Reads are repeated only where that can help: without a response, and while the service is unavailable. */
function isTransient(error: unknown): boolean {
  const { status } = failureOf(error);
  return status === 0 || status === 502 || status === 503 || status === 504;
}

function delayOf(failed: number, error: unknown): number {
  const { retry_after_seconds } = failureOf(error);
  return retry_after_seconds === null ? 500 * 2 ** failed : retry_after_seconds * 1000;
}

/**
 * `onSessionEnd` is called when the service no longer knows the session. A query with `meta.is_guard` is excepted: the
 * router waits for it before it shows a page, and handles its error.
 */
export function createQueryClient(onSessionEnd: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (failureOf(error).status === 401) onSessionEnd();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (meta?.is_guard !== true) onError(error);
      },
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MILLISECONDS,
        retry: (failed, error) => failed + 1 < TRIES && isTransient(error),
        retryDelay: delayOf,
        // The offline banner says why nothing is loaded.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
