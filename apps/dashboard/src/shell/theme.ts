import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

const YEAR_SECONDS = 31_536_000;
const listeners = new Set<() => void>();

/** The theme of the document: the server sets its class by the cookie, before anything is painted. */
function currentTheme(): Theme {
  const { classList } = document.documentElement;
  return THEMES.find((theme) => classList.contains(theme)) ?? "system";
}

/** Shows a theme now, and on the next visits from this browser. */
export function setTheme(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the other interface
  document.cookie = `findersfee-theme=${theme}; path=${APPLICATION_PATH}/; max-age=${YEAR_SECONDS}; samesite=lax`;
  document.documentElement.classList.remove(...THEMES);
  if (theme !== "system") document.documentElement.classList.add(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
