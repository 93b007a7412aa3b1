import { FindersfeeError, invalidArgument } from "./errors.ts";

/** Throws `invalid_request` for what cannot be a secret key. Messages never show the value. */
export function checkApiKey(value: unknown): string {
  if (typeof value !== "string" || value === "") {
    throw wrong("Must be a secret API key (ff_sk_…). Is the variable that should hold it set?");
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw wrong("Must be the key alone: it holds white space, a line break or other characters no key has.");
  }
  if (value.startsWith("ff_pk_")) {
    throw wrong("Is a publishable key, which is for browsers. Use a secret one (ff_sk_…), on a server only.");
  }
  return value;
}

function wrong(message: string): FindersfeeError {
  return new FindersfeeError(invalidArgument("apiKey", message));
}
