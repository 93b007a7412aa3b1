import type { FastifyInstance } from "fastify";
import { applicationPath } from "./applications/index-page.ts";
import type { ApiConfig } from "./config.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** The setting is read at each start, so the contact is good for about as long as a version. RFC 9116 wants less than a year. */
const VALID_DAYS = 180;

/** Serves where to report vulnerabilities (RFC 9116), and where password managers send people to change their password (W3C). */
export function serveWellKnown(
  app: FastifyInstance,
  { public_url, security_contact }: Pick<ApiConfig, "public_url" | "security_contact">,
  { has_dashboard }: { has_dashboard: boolean },
): void {
  if (security_contact !== null) {
    app.get("/.well-known/security.txt", (_request, reply) => {
      const canonical =
        public_url === null ? [] : [`Canonical: ${new URL("/.well-known/security.txt", public_url).href}`];
      const lines = [`Contact: ${security_contact}`, `Expires: ${expiry()}`, ...canonical];
      return reply.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
    });
  }
  if (has_dashboard) {
    app.get("/.well-known/change-password", (_request, reply) =>
      reply.redirect(`${applicationPath(public_url)}me`),
    );
  }
}

/** At the end of a day, so that the file changes once a day. */
function expiry(): string {
  const day = new Date(Date.now() + VALID_DAYS * DAY_MILLISECONDS);
  day.setUTCHours(0, 0, 0, 0);
  return day.toISOString();
}
