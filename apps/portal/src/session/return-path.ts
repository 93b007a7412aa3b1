import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { Failure } from "@findersfee/ui/requests/failure";
import { PROGRAM_PARAMETER } from "./chosen-program.ts";

const parameters = (): URLSearchParams => new URLSearchParams(window.location.search);

/** Why a visit of a page led to the sign-in. */
export type Interruption =
  /** The service knew the session, which has ended. */
  | "ended"
  /** The browser has no session: the person may never have signed in. They follow a link of a mail. */
  | "mailed"
  /** The same, and they opened another address. */
  | "opened";

/** The sign-in that leads back to a page, which a failure without a session interrupted. */
export function signInPath(to: string, { code }: Failure): string {
  const ended = code === "session_expired";
  if (to === "/" && !ended) return "/sign-in";
  return `/sign-in?to=${encodeURIComponent(to)}${ended ? "&ended=1" : ""}`;
}

/** Null: nothing led to the sign-in. */
export function interruption(): Interruption | null {
  const to = parameters().get("to");
  if (to === null) return null;
  if (parameters().has("ended")) return "ended";
  return to.includes(`?${PROGRAM_PARAMETER}=`) ? "mailed" : "opened";
}

/** The page within the portal that follows the sign-in. Others could lead anywhere. */
export function returnPath(): string {
  const to = parameters().get("to") ?? "/";
  const { origin } = window.location;
  const base = `${origin}${APPLICATION_PATH}/`;
  // Browsers ignore tabs and line breaks in addresses, and resolve `..`.
  const is_within =
    to.startsWith("/") && URL.parse(`${APPLICATION_PATH}${to}`, origin)?.href.startsWith(base);
  return is_within ? to : "/";
}
