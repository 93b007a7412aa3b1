import { endpointUrlProblem } from "@findersfee/domain/webhooks/endpoint-url";
import { z } from "zod";

/** Where a service on this machine listens if nobody says otherwise. */
export const LOCAL_SERVICE = "http://127.0.0.1:3000";

/** What `serviceAddress` takes. */
export const SERVICE_ADDRESS = `the service's http or https address, as in ${LOCAL_SERVICE}`;

/** The address of a service; that of one of its surfaces (`…/v1`) means the service, too. */
export function serviceAddress(error: string) {
  return z
    .string()
    .refine(isServiceAddress, { error })
    .transform((text) => {
      const { origin, pathname } = new URL(text);
      return `${origin}${pathname.replace(/\/+$/, "").replace(/(\/+v1)?(\/+trpc)?$/, "")}`;
    });
}

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const is_plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return (url.protocol === "http:" || url.protocol === "https:") && is_plain;
}

/** Where a receiver listens: any address, also of this machine, and also without TLS. */
export const receiverAddress = z.string().check(({ value, issues }) => {
  const message = receiverProblem(value);
  if (message !== null) issues.push({ code: "custom", message, input: value });
});

function receiverProblem(text: string): string | null {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) {
    return "Must be an http or https URL, as in http://localhost:4242/webhooks.";
  }
  return endpointUrlProblem(text, { allow_http: true, allow_private: true });
}
