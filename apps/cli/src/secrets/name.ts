import type { NamedSecret } from "@findersfee/domain/secrets/stored";

/** A stored secret in words, for example `organization …, endpoint …, signing secret`. */
export function nameOfSecret({
  place,
  organization_id,
  user_id,
  endpoint_id,
  processor,
}: NamedSecret): string {
  const organization = `organization ${organization_id}`;
  switch (place) {
    case "endpoint_secret":
      return `${organization}, endpoint ${endpoint_id}, signing secret`;
    case "endpoint_headers":
      return `${organization}, endpoint ${endpoint_id}, custom headers`;
    case "processor_secret":
      return `${organization}, processor ${processor}, signing secret`;
    case "former_processor_secret":
      return `${organization}, processor ${processor}, former signing secret`;
    case "processor_api_key":
      return `${organization}, processor ${processor}, API key`;
    case "signup_secret":
      return `${organization}, secret for signing sign-ups`;
    case "former_signup_secret":
      return `${organization}, former secret for signing sign-ups`;
    case "sign_in_provider":
      return `${organization}, client secret of single sign-on`;
    case "second_factor":
      return `user ${user_id}, authenticator app`;
  }
}
