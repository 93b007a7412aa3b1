import type { Viewed } from "@findersfee/contract/portal/embed";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import { post } from "@findersfee/ui/requests/post";
import { queryOptions } from "@tanstack/react-query";
import { sendEmbeddedSession } from "../../requests/portal.ts";

/** The path of a view's pages, below the portal's. */
export const PATH = "/view";

/** The dashboard is beside the portal. */
export const DASHBOARD = APPLICATION_PATH.replace(/\/portal$/, "");

/** The part of its view that a tab keeps, so that it can be loaded again. */
interface View {
  session: string;
  /** The address of the affiliate's page in the dashboard. */
  origin: string;
  /** Whether the person agreed to be the affiliate, and so sees these pages. */
  agreed: boolean;
}

const STORED = "findersfee-view";

/** The view that the token opens, else the one that the tab has; null: it has none, or the token was used or has expired. */
export function viewQuery(token: string) {
  return queryOptions({
    queryKey: ["view"],
    queryFn: async (): Promise<View | null> => {
      const view = token === "" ? readView() : await openView(token);
      if (view !== null) sendEmbeddedSession(view.session);
      return view;
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { is_guard: true },
  });
}

async function openView(token: string): Promise<View | null> {
  sessionStorage.removeItem(STORED);
  try {
    const { session, organization, affiliate_id, agreed } = await post<Viewed>("/auth/view", { token });
    const view = { session, origin: `${DASHBOARD}/o/${organization}/affiliates/${affiliate_id}`, agreed };
    sessionStorage.setItem(STORED, JSON.stringify(view));
    return view;
  } catch (error) {
    if (["link_invalid", "invalid_request"].includes(failureOf(error).code ?? "")) return null;
    throw error;
  }
}

function readView(): View | null {
  return JSON.parse(sessionStorage.getItem(STORED) ?? "null");
}

/** Ends the view, and leads back to the page that it was opened from. */
export async function closeView({ session, origin }: View): Promise<void> {
  sessionStorage.removeItem(STORED);
  const headers = { "content-type": "application/json", "findersfee-portal-session": session };
  // biome-ignore lint/plugin/swallowed-failure: a session that could not be ended expires soon
  await fetch(`${APPLICATION_PATH}/auth/sign-out`, { method: "POST", headers, body: "{}" }).catch(() => {});
  window.location.replace(origin);
}

export type { View };
