import { hasWriter } from "@findersfee/ui/forms/draft-store";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, redirect } from "@tanstack/react-router";
import { writeSearch } from "../lists/search.ts";
import type { Me } from "../requests/account.ts";
import { meQuery } from "../session/session.tsx";
import { Root } from "../shell/root.tsx";
import { lazyPage } from "./lazy-page.ts";

interface RouterContext {
  client: QueryClient;
}

export const NotFoundPage = lazyPage(() => import("../shell/not-found-page.tsx"), "NotFoundPage");

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFoundPage,
});

/** The person who is signed in; others are sent to the sign-in page, and back from there. */
export async function requireMe({ client }: RouterContext, here: string): Promise<Me> {
  try {
    return await client.ensureQueryData(meQuery);
  } catch (error) {
    if (failureOf(error).status !== 401) throw error;
    client.clear();
    const ended = hasWriter() ? { ended: "1" } : {};
    const href = `${APPLICATION_PATH}/sign-in${writeSearch({ to: here, ...ended })}`;
    throw redirect({ href, reloadDocument: true, replace: true });
  }
}
