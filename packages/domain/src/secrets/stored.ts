import type { Connection } from "@findersfee/database/postgres/connect";
import {
  listPlacedSecrets,
  type PlacedSecret,
  SECRET_PLACES,
  type SecretPlace,
} from "@findersfee/database/stored-secrets";
import type { SecretOwner } from "./secrets.ts";

const PAGE = 200;

/** A stored secret with its column. */
export interface StoredSecret extends PlacedSecret {
  place: SecretPlace;
}

/** Every stored secret, current and former, a page at a time. */
export async function* storedSecrets(sql: Connection): AsyncGenerator<StoredSecret> {
  for (const place of Object.keys(SECRET_PLACES) as SecretPlace[]) {
    let after: string[] | null = null;
    while (true) {
      const page: PlacedSecret[] = await listPlacedSecrets(sql, place, { after, limit: PAGE });
      for (const secret of page) yield { place, ...secret };
      if (page.length < PAGE) break;
      after = page.at(-1)?.key ?? null;
    }
  }
}

/** The owner that a stored secret is bound to. */
export function ownerOfStored({ place, key }: Pick<StoredSecret, "place" | "key">): SecretOwner {
  const [first = "", second = ""] = key;
  switch (place) {
    case "endpoint_secret":
      return { organization_id: first, endpoint_id: second };
    case "endpoint_headers":
      return { organization_id: first, endpoint_id: second, purpose: "headers" };
    case "processor_secret":
    case "former_processor_secret":
      return { organization_id: first, processor: second, purpose: "signing" };
    case "processor_api_key":
      return { organization_id: first, processor: second, purpose: "api_key" };
    case "signup_secret":
    case "former_signup_secret":
      return { organization_id: first, purpose: "signup" };
    case "sign_in_provider":
      return { organization_id: first, purpose: "sign_in_provider" };
    case "second_factor":
      return { user_id: first, purpose: "second_factor" };
  }
}

/** A stored secret as an operator reads it: without its content. */
export interface NamedSecret {
  place: SecretPlace;
  organization_id: string | null;
  user_id: string | null;
  endpoint_id: string | null;
  processor: string | null;
}

/** Names a stored secret. */
export function nameStored(secret: Pick<StoredSecret, "place" | "key">): NamedSecret {
  const owner = ownerOfStored(secret);
  return {
    place: secret.place,
    organization_id: "organization_id" in owner ? owner.organization_id : null,
    user_id: "user_id" in owner ? owner.user_id : null,
    endpoint_id: "endpoint_id" in owner ? owner.endpoint_id : null,
    processor: "processor" in owner ? owner.processor : null,
  };
}
