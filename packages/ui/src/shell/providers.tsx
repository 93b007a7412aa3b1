import type { ReactNode } from "react";
import { ClockProvider } from "../components/clock.tsx";
import { BROWSER_CLOCK, type Clock } from "../formats/clock.ts";
import { type Navigation, NavigationProvider } from "../navigation.tsx";
import { LayersProvider } from "../overlays/layers.tsx";
import { ToastProvider } from "../overlays/toast.tsx";
import { ENGLISH, type Texts, TextsProvider } from "../texts.tsx";
import { ShortcutsProvider } from "./shortcuts.tsx";

export interface ProvidersProps {
  navigation: Navigation;
  texts?: Texts;
  clock?: Clock;
  /** Shortcuts of single keys. */
  shortcuts?: boolean;
  children: ReactNode;
}

/** Everything that the components need above them. */
export function Providers({
  navigation,
  texts = ENGLISH,
  clock = BROWSER_CLOCK,
  shortcuts = true,
  children,
}: ProvidersProps) {
  return (
    <TextsProvider texts={texts}>
      <ClockProvider clock={clock}>
        <NavigationProvider navigation={navigation}>
          <LayersProvider>
            <ShortcutsProvider enabled={shortcuts}>
              <ToastProvider>{children}</ToastProvider>
            </ShortcutsProvider>
          </LayersProvider>
        </NavigationProvider>
      </ClockProvider>
    </TextsProvider>
  );
}
