import { useState } from "react";

/**
 * The token of a link, after `#`: servers and their logs never see it. It leaves the address at once, so that nobody copies it
 * from there; the tab keeps it until it is closed, for a reload and for the way back from the sign-in.
 */
export function useLinkToken(): string {
  const [token] = useState(readToken);
  return token;
}

function readToken(): string {
  const { pathname, hash } = window.location;
  const name = `token:${pathname}`;
  if (hash === "") return sessionStorage.getItem(name) ?? "";
  const token = hash.slice(1);
  sessionStorage.setItem(name, token);
  window.history.replaceState(window.history.state, "", pathname);
  return token;
}
