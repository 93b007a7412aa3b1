/**
 * Where tRPC is served. Programs call the API below its version, so that a proxy that passes `/v1` passes them,
 * too; `/trpc` is internal to the dashboard and changes with it.
 */
export const TRPC_PATHS = { api: "/v1/trpc", dashboard: "/trpc" } as const;

/** Whether a URL is of one of the tRPC surfaces, so that its errors have tRPC's shape. */
export function isTrpcUrl(url: string): boolean {
  return Object.values(TRPC_PATHS).some(
    (path) => url.startsWith(path) && ["", "/", "?"].includes(url.charAt(path.length)),
  );
}
