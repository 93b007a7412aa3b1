/* The minimal implementation of a click: Fastify, JSON in and out, or a redirect; nothing is stored. */
import { newId } from "@findersfee/domain/ids";
import fastify from "fastify";
import { runJobs } from "../jobs.ts";

export type BareTrackingJob = Record<string, never>;

const DAYS = 30;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

const app = fastify();

runJobs(serve, () => app.close());

/** Returns the port. */
async function serve(): Promise<number> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("text/plain", { parseAs: "string" }, (_request, body, done) => {
    done(null, JSON.parse(String(body)));
  });
  app.post("/track/click", async () => {
    const now = new Date();
    const expires_at = new Date(now.getTime() + DAYS * DAY_MILLISECONDS).toISOString();
    return { success: true, data: { click_id: newId(now), expires_at, cookie_duration: DAYS } };
  });
  app.get<{ Params: { code: string } }>("/r/:code", async (request, reply) =>
    reply
      .header("cache-control", "no-store")
      .redirect(`https://example.com/?via=${request.params.code}&ff_click=${newId(new Date())}`, 302),
  );
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}
