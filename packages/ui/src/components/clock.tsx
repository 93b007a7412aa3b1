import { createContext, type ReactNode, useContext } from "react";
import { BROWSER_CLOCK, type Clock } from "../formats/clock.ts";

const ClockContext = createContext<Clock>(BROWSER_CLOCK);

/** Sets the zone and language of all times below. */
export function ClockProvider({ clock, children }: { clock: Clock; children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>;
}

export function useClock(): Clock {
  return useContext(ClockContext);
}
