import {
  publicProgramInput,
  publicProgramSchema,
  publicProgramsInput,
  publicProgramsSchema,
} from "@findersfee/contract/portal/join";
import { PORTAL_JOIN_PATHS } from "@findersfee/contract/portal/join-paths";
import type { Database } from "@findersfee/database/postgres/connect";
import { getPublicProgram, getPublicPrograms, noProgram } from "@findersfee/domain/portal/public-program";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Admission } from "../admission/admission.ts";
import { limitAddresses } from "../admission/limit-addresses.ts";
import type { ApiConfig } from "../config.ts";

/** A changed form shows after this time at the latest; applications are held to the form as it is. */
const CACHED_SECONDS = 60;

interface Mounting {
  database: Database;
  admission: Admission;
  config: ApiConfig;
}

/** Serves the public data of programs, so that people can join. Each answer is one statement. */
export function servePublicPrograms(app: FastifyInstance, { database, admission, config }: Mounting): void {
  const slots = admission.createSlots();
  const limit = config.track_limit_per_minute;
  app.register(async (scope) => {
    if (limit > 0) scope.addHook("onRequest", limitAddresses(limit));
    scope.addHook("preHandler", (request, reply, done) => {
      slots.take(reply);
      slots.holdAddress(request, reply);
      done();
    });
    serveGet(scope, PORTAL_JOIN_PATHS.programs, publicProgramsInput, async ({ slug }) =>
      publicProgramsSchema.parse(await getPublicPrograms(database, slug)),
    );
    serveGet(scope, PORTAL_JOIN_PATHS.program, publicProgramInput, async (named) =>
      publicProgramSchema.parse(await getPublicProgram(database, named)),
    );
  });
}

/** Parameters that no program can have get the same answer as those that none has, or one elsewhere than at the host. */
function serveGet<Input>(
  scope: FastifyInstance,
  path: string,
  input: z.ZodType<Input>,
  get: (input: Input) => Promise<{ organization: { slug: string } }>,
): void {
  scope.get(path, async (request, reply) => {
    const parsed = input.safeParse(request.params);
    const { portal_host } = request;
    if (!parsed.success) throw noProgram();
    const data = await get(parsed.data);
    if (portal_host !== null && portal_host.slug !== data.organization.slug) throw noProgram();
    reply.header("cache-control", `public, max-age=${CACHED_SECONDS}`);
    return { success: true, data };
  });
}
