import { embeddedSchema, embedInput } from "@findersfee/contract/portal/embed";
import { PORTAL_AUTH_PATHS } from "@findersfee/contract/portal/sign-in";
import type { Database } from "@findersfee/database/connect";
import { embedPortal } from "@findersfee/domain/portal/embed";
import type { FastifyInstance } from "fastify";
import { browserOf, servePost } from "../auth/scope.ts";

/** Serves the exchange of a portal token for the session of a frame. It sets no cookie. */
export function serveEmbedding(scope: FastifyInstance, database: Database): void {
  servePost(scope, { path: PORTAL_AUTH_PATHS.embed, input: embedInput }, async (input, request) =>
    embeddedSchema.parse(await embedPortal(database, input, browserOf(request))),
  );
}
