import { embeddedSchema, embedInput, viewedSchema, viewInput } from "@findersfee/contract/portal/embed";
import { PORTAL_AUTH_PATHS } from "@findersfee/contract/portal/sign-in";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "@findersfee/domain/errors";
import { embedPortal } from "@findersfee/domain/portal/embed";
import { openView } from "@findersfee/domain/portal/view";
import type { FastifyInstance } from "fastify";
import { browserOf } from "../admission/browser.ts";
import { limitOf } from "../admission/portal-sessions.ts";
import { servePost } from "../identity/auth/scope.ts";

/** Serves the exchange of a portal token for the session of a frame, or of staff. It sets no cookie. */
export function serveEmbedding(scope: FastifyInstance, database: Database): void {
  servePost(scope, { path: PORTAL_AUTH_PATHS.embed, input: embedInput }, async (input, request) =>
    embeddedSchema.parse(await embedPortal(database, input, browserOf(request))),
  );
  servePost(scope, { path: PORTAL_AUTH_PATHS.view, input: viewInput }, async ({ token }, request) => {
    // Staff use the dashboard's host alone.
    if (limitOf(request) !== null) throw new DomainError("link_invalid");
    return viewedSchema.parse(await openView(database, token, browserOf(request)));
  });
}
