import { FindersfeeError, invalidArgument } from "../errors/errors.ts";

/** Throws `invalid_request` if the value cannot be a secret key. Messages never show the value. */
export function checkApiKey(value: unknown): string {
  if (typeof value !== "string" || value === "") {
    throw wrong("Must be a secret API key (ff_sk_…). Check that its environment variable is set.");
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw wrong(
      "Must contain only the key: it contains whitespace, a line break or other characters that keys never have.",
    );
  }
  if (value.startsWith("ff_pk_")) {
    throw wrong("Is a publishable key, which is for browsers. Use a secret key (ff_sk_…), on a server only.");
  }
  return value;
}

function wrong(message: string): FindersfeeError {
  return new FindersfeeError(invalidArgument("apiKey", message));
}
