/**
 * The paths of tRPC. Programs call the API below its version, so that a proxy that forwards `/v1` forwards
 * them too; `/trpc` and `/account/trpc` are internal to the dashboard and change with it. The latter is for
 * operations of a person that concern no organization. `/portal/trpc` is internal to the portal.
 */
export const TRPC_PATHS = {
  api: "/v1/trpc",
  dashboard: "/trpc",
  account: "/account/trpc",
  portal: "/portal/trpc",
} as const;

/** Whether a URL belongs to a tRPC surface, so that its errors have tRPC's shape. */
export function isTrpcUrl(url: string): boolean {
  return Object.values(TRPC_PATHS).some(
    (path) => url.startsWith(path) && ["", "/", "?"].includes(url.charAt(path.length)),
  );
}
