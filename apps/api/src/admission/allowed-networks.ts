import { DomainError } from "@findersfee/domain/errors";
import type { RecordRejection } from "@findersfee/domain/identity/policies/rejections";
import type { AllowedNetworks } from "@findersfee/domain/identity/rights/networks";
import type { ApiKeyPrincipal, Principal } from "@findersfee/domain/principal";
import type { FastifyRequest } from "fastify";
import { browserOf } from "./browser.ts";
import type { Identify } from "./identify.ts";
import { addressOf } from "./network.ts";

interface Restriction {
  /** Null: requests may come from anywhere. */
  networks: AllowedNetworks | null;
  request: FastifyRequest;
  recordRejection: RecordRejection;
}

/**
 * Requires that the organization allows the address of a request, which is the client's behind a trusted proxy.
 *
 * @throws DomainError `network_not_allowed`, which a security event records
 */
export function requireNetwork(sender: Principal, { networks, request, recordRejection }: Restriction): void {
  if (networks === null) return;
  const address = addressOf(request);
  if (networks.includes(address)) return;
  recordRejection(sender, browserOf(request));
  throw new DomainError("network_not_allowed", {
    message: `The organization does not allow requests from ${address}. Send them from a network that its owners have allowed, or ask an owner to add this one.`,
  });
}

/** Identifies secret keys only from the networks that their organization allows. Publishable keys work anywhere. */
export function identifyFromNetworks(
  identify: Identify<ApiKeyPrincipal>,
  recordRejection: RecordRejection,
): Identify<ApiKeyPrincipal> {
  return (request, reply, token) => {
    const found = identify(request, reply, token);
    const admit = (principal: ApiKeyPrincipal) => {
      requireNetwork(principal, { networks: principal.networks, request, recordRejection });
      return principal;
    };
    // Most keys are cached and have no networks: they take neither a promise nor a closure.
    if (found instanceof Promise) return found.then(admit);
    return found.networks === null ? found : admit(found);
  };
}
