import type { Navigation } from "@findersfee/ui/navigation";
import { type ComponentType, lazy, useMemo } from "react";
import { matchRoute, useLocation, useRouter } from "wouter";
import { SCREENS, type Screen } from "./screens.ts";

export interface LoadedScreen extends Screen {
  Content: ComponentType;
}

/** Each page is a chunk that loads once. */
export const LOADED_SCREENS: readonly LoadedScreen[] = SCREENS.map((screen) => {
  let loading: Promise<ComponentType> | null = null;
  const load = () => {
    loading ??= screen.load();
    return loading;
  };
  return { ...screen, load, Content: lazy(async () => ({ default: await load() })) };
});

/** Around the pages of programs; the sign-in has no need of it. */
export const loadProgramFrame = () => import("./frame/program-frame.tsx");

/** Links between the pages, below a path of the server. */
export function useScreenNavigation(base: string): Navigation {
  const [, setPath] = useLocation();
  const { parser } = useRouter();
  return useMemo(
    () => ({
      hrefOf: (to) => `${base}${to === "/" ? "" : to}` || "/",
      navigate: (to) => {
        setPath(to);
        window.scrollTo(0, 0);
      },
      preload: (to) => {
        const [pathname = "/"] = to.split("?");
        void LOADED_SCREENS.find((screen) => matchRoute(parser, screen.path, pathname)[0])?.load();
      },
    }),
    [base, setPath, parser],
  );
}

/** Begins to load the page of an address, before anything is shown. */
export function preloadScreen(path: string): Screen | undefined {
  const screen = LOADED_SCREENS.find(({ path: pattern }) => pattern === path);
  void screen?.load();
  if (screen !== undefined && screen.states !== null) void loadProgramFrame();
  return screen;
}
