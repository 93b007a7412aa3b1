import type { PublicLook } from "@findersfee/contract/portal/look";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { SCREENS } from "../../screens.ts";
import { STORED_ORGANIZATION } from "./entry-look.tsx";

const PARAMETER = "organization";
const PATIENCE_MILLISECONDS = 4_000;

/** Loads the look of the organization that the visit begins at; null: none is known. Before the first paint, so nothing changes its color. */
export async function loadEntryLook(path: string): Promise<PublicLook | null> {
  const is_at_host = document.documentElement.hasAttribute("data-host");
  const organization = is_at_host
    ? null
    : (organizationOf(path) ?? localStorage.getItem(STORED_ORGANIZATION));
  if (!is_at_host && organization === null) return null;
  const query = organization === null ? "" : `?organization=${encodeURIComponent(organization)}`;
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  // biome-ignore lint/plugin/swallowed-failure: without the organization's look, the page has the service's
  const response = await fetch(`${APPLICATION_PATH}/look${query}`, { signal }).catch(() => null);
  if (response === null || !response.ok) return null;
  // biome-ignore lint/plugin/swallowed-failure: without the organization's look, the page has the service's
  const answer: { data?: PublicLook } = await response.json().catch(() => ({}));
  return answer.data ?? null;
}

/** The organization that the address names: `/acme`, or `?organization=acme`. Other addresses begin with a word of a page. */
function organizationOf(path: string): string | null {
  const [, first = ""] = path.split("/");
  const is_page = SCREENS.some((screen) => screen.path.split("/")[1] === first);
  return is_page ? new URLSearchParams(window.location.search).get(PARAMETER) : first;
}
