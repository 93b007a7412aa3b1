import { RESERVED_SLUGS } from "@findersfee/contract/portal/reserved-slugs";
import type { FastifyInstance } from "fastify";
import { type BeforeDocument, type HeadOf, type ServedDocument, serveApplication } from "./serve.ts";

/** The folders of the built applications; one without a folder is not served. */
export interface ApplicationFolders {
  dashboard?: string;
  portal?: string;
}

/*
 * The addresses of the dashboard's two documents: one for people without a session, and one for all others. Other addresses
 * stay unknown, so that programs get errors and no page.
 */
const DASHBOARD: ServedDocument[] = [
  {
    name: "entrance.html",
    paths: [
      "/sign-in",
      "/sign-in/second-step",
      "/sign-in/single-sign-on",
      "/sign-in/confirm-email",
      "/sign-in/confirm-device",
      "/setup",
      "/reset",
      "/invitation",
    ],
  },
  { name: "index.html", paths: ["/", "/organizations", "/me"], paths_below: ["/o/*"] },
];

/** All addresses of the portal but its operations. The names of organizations follow its path. */
const PORTAL: ServedDocument[] = [
  { name: "view.html", paths: ["/view"], paths_below: ["/view/*"] },
  {
    name: "index.html",
    paths: [""],
    paths_below: ["/*"],
    except: ["/trpc", "/auth", "/assets"],
    knows: (path) => RESERVED_SLUGS.has(path.split("/")[2] ?? ""),
  },
];

/** Serves the applications that are built. */
export async function serveApplications(
  app: FastifyInstance,
  { dashboard, portal }: ApplicationFolders,
  { public_url, before, headOf }: { public_url: string | null; before: BeforeDocument; headOf: HeadOf },
): Promise<void> {
  if (dashboard === undefined) app.get("/", async (_request, reply) => reply.redirect("docs/"));
  else
    await serveApplication(app, { folder: dashboard, public_url, prefix: "", documents: DASHBOARD, before });
  if (portal === undefined) return;
  await serveApplication(app, {
    folder: portal,
    public_url,
    prefix: "/portal",
    documents: PORTAL,
    before,
    headOf,
  });
}
