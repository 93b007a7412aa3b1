import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";

/** The address within the application that follows the sign-in. Others could lead anywhere. */
export function returnAddress(): string {
  const to = new URLSearchParams(window.location.search).get("to") ?? "/";
  const { origin } = window.location;
  const href = `${APPLICATION_PATH}${to}`;
  // Browsers ignore tabs and line breaks in addresses, so that another site can follow any of them.
  return to.startsWith("/") && URL.canParse(href, origin) && new URL(href, origin).origin === origin
    ? to
    : "/";
}
