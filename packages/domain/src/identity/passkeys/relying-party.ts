import { DomainError } from "../../errors.ts";

/** The service as authenticators know it (WebAuthn, 4): where its pages are, and the domain that passkeys belong to. */
export interface RelyingParty {
  /** `https://app.example.com` */
  origin: string;
  /** `app.example.com` */
  id: string;
}

export const RELYING_PARTY_NAME = "Findersfee";

/**
 * The relying party of the dashboard's address. Browsers allow passkeys for names only, and without https only for
 * `localhost`.
 *
 * @throws DomainError `invalid_request` for other addresses
 */
export function relyingPartyOf(dashboard_url: string): RelyingParty {
  const { origin, hostname, protocol } = new URL(dashboard_url);
  const is_name = !/^[\d.]+$/.test(hostname) && !hostname.startsWith("[");
  if (is_name && (protocol === "https:" || hostname === "localhost")) return { origin, id: hostname };
  throw new DomainError("invalid_request", {
    message: "Passkeys need https and a domain name, or http://localhost. Set PUBLIC_URL to such an address.",
  });
}
