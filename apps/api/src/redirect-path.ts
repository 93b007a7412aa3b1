/** The path of redirect links, before the code. */
export const REDIRECT_PATH = "/r/";

/** Whether visitors see the response to a URL. */
export function isRedirectUrl(url: string): boolean {
  return url.startsWith(REDIRECT_PATH) || url === "/r" || url.startsWith("/r?");
}
