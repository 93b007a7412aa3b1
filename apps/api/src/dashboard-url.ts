import type { FastifyRequest } from "fastify";

/** Without a public address, the one that the browser asked for: a service on the person's own machine. */
export function dashboardUrl({ headers, protocol }: FastifyRequest, public_url: string | null): string {
  return public_url ?? `${protocol}://${headers.host ?? "localhost"}`;
}
