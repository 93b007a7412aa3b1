import { createTRPCClient, httpLink, type TRPCClient, TRPCClientError } from "@trpc/client";
import type { AccountRouter } from "../src/identity/account/router.ts";
import type { AppRouter } from "../src/router.ts";
import type { ApiResponse, TestService } from "./test-service.ts";

/** A browser on a page of the service: it keeps cookies, and names the page's origin. */
export interface Browser {
  cookies: Map<string, string>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** The person's own operations. */
  account: TRPCClient<AccountRouter>;
  /** The dashboard of an organization. */
  dashboard(organization_id: string): TRPCClient<AppRouter>["dashboard"];
}

export function openBrowser(
  { url, origin: own }: Pick<TestService, "url" | "origin">,
  origin = own,
): Browser {
  const cookies = new Map<string, string>();
  const headers = () => ({
    origin,
    "user-agent": "Firefox",
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  });
  return {
    cookies,
    post: async (path, body = {}, more = {}) => {
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { ...headers(), "content-type": "application/json", ...more },
        body: JSON.stringify(body),
      });
      for (const line of response.headers.getSetCookie()) keep(cookies, line);
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    account: createTRPCClient<AccountRouter>({ links: [httpLink({ url: `${url}/account/trpc`, headers })] }),
    dashboard: (organization_id) =>
      createTRPCClient<AppRouter>({
        links: [
          httpLink({
            url: `${url}/trpc`,
            headers: () => ({ ...headers(), "findersfee-organization": organization_id }),
          }),
        ],
      }).dashboard,
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split("; ");
  const [name = "", value = ""] = pair.split("=");
  if (attributes.includes("Max-Age=0")) cookies.delete(name);
  else cookies.set(name, value);
}

/** The code of the error that a call of a procedure ends with. */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    () => null,
    (refused: unknown) => refused,
  );
  if (error === null) return null;
  if (!(error instanceof TRPCClientError)) throw error;
  return error.data?.code;
}
