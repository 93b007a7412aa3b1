import { AUTH_PATHS } from "@findersfee/contract/identity/sign-in";

/** Where providers send browsers back: the redirect URI to register there. */
export function callbackUrl(dashboard_url: string): string {
  return `${dashboard_url}${AUTH_PATHS.single_sign_on}/callback`;
}
