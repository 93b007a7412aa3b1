import { useState } from "react";

/**
 * The token of a link, after `#`: servers and their logs never see it. It leaves the address at once, so that nobody copies it
 * from there; the tab keeps it until it is used, for a reload and for the way back from the sign-in.
 */
export function useLinkToken(): string {
  const [token] = useState(readToken);
  return token;
}

/** Forgets a token that was used, or that the service refused. */
export function deleteLinkToken(): void {
  sessionStorage.removeItem(nameOfToken());
}

const nameOfToken = () => `token:${window.location.pathname}`;

function readToken(): string {
  const { pathname, hash } = window.location;
  if (hash === "") return sessionStorage.getItem(nameOfToken()) ?? "";
  const token = hash.slice(1);
  sessionStorage.setItem(nameOfToken(), token);
  window.history.replaceState(window.history.state, "", pathname);
  return token;
}
