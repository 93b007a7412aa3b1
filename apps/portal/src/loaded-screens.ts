import type { Navigation } from "@findersfee/ui/navigation";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { whenOnline } from "@findersfee/ui/requests/use-online";
import { type ComponentType, useMemo } from "react";
import { useLocation } from "wouter";
import { SCREENS, type Screen, screenAt } from "./screens.ts";

export interface LoadedScreen extends Screen {
  Content: ComponentType;
}

/** Each page is a chunk that loads once, and only while there is a network. */
export const LOADED_SCREENS: readonly LoadedScreen[] = SCREENS.map((screen) => {
  let loading: Promise<ComponentType> | null = null;
  const load = () => {
    loading ??= whenOnline().then(screen.load);
    return loading;
  };
  return { ...screen, load, Content: lazyPart(async () => ({ Page: await load() }), "Page") };
});

/** Links between the pages, below a path of the server. */
export function useScreenNavigation(base: string): Navigation {
  const [, setPath] = useLocation();
  return useMemo(
    () => ({
      hrefOf: (to) => `${base}${to === "/" ? "" : to}` || "/",
      navigate: (to) => {
        setPath(to);
        window.scrollTo(0, 0);
      },
      preload: (to) => {
        const [pathname = "/"] = to.split("?");
        void screenAt(LOADED_SCREENS, pathname)?.load();
      },
    }),
    [base, setPath],
  );
}

/** Begins to load the page of an address, before anything is shown. */
export function preloadScreen(path: string): Screen | undefined {
  const screen = screenAt(LOADED_SCREENS, path);
  void screen?.load();
  return screen;
}
