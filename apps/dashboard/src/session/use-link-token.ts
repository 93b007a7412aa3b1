import { useState } from "react";

/**
 * The token of a link, after `#`: servers and their logs never see it. It leaves the address at once, so that nobody copies it
 * from there.
 */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  if (window.location.hash !== "") {
    window.history.replaceState(window.history.state, "", window.location.pathname);
  }
  return token;
}
