import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";

const parameter = (): string | null => new URLSearchParams(window.location.search).get("to");

/** Whether the sign-in interrupts a visit of a page. */
export function isReturning(): boolean {
  return parameter() !== null;
}

/** The page within the portal that follows the sign-in. Others could lead anywhere. */
export function returnPath(): string {
  const to = parameter() ?? "/";
  const { origin } = window.location;
  const base = `${origin}${APPLICATION_PATH}/`;
  // Browsers ignore tabs and line breaks in addresses, and resolve `..`.
  const is_within =
    to.startsWith("/") && URL.parse(`${APPLICATION_PATH}${to}`, origin)?.href.startsWith(base);
  return is_within ? to : "/";
}
