import { useRef } from "react";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Outputs } from "../requests/portal.ts";

type Earning = Outputs["home"]["get"]["newest"][number];

/** Commissions and adjustments that came while the page was open. */
export interface Arrivals {
  /** Says the last ones, for screen readers; empty before any. */
  announcement: string;
  isNew: (id: string) => boolean;
}

/**
 * Compares the newest commissions and adjustments, which a page loads again and again, with those that it
 * showed first. Ids grow with time. Another `scope`, such as a filter, starts a new comparison.
 */
export function useArrivals(newest: readonly Earning[] | undefined, scope = ""): Arrivals {
  const { commissions } = useTexts();
  const { gain } = useFormats();
  const announcementOf = ({ commission_amount, currency, customer, adjustment }: Earning) => {
    const amount = gain(commission_amount, currency);
    return adjustment === null
      ? commissions.arrived(amount, (customer ?? "").slice(0, 100))
      : commissions.adjusted(amount, adjustment.reason.slice(0, 100));
  };
  const first = useRef<string | null>(null);
  const last = useRef("");
  const announced = useRef("");
  const shown = useRef(scope);
  if (shown.current !== scope) {
    shown.current = scope;
    first.current = null;
  }
  if (newest !== undefined) {
    const top = newest[0]?.id ?? "";
    if (first.current === null) {
      first.current = top;
      last.current = top;
    } else if (top > last.current) {
      const added = newest.filter(({ id }) => id > last.current);
      last.current = top;
      const [one] = added;
      announced.current =
        added.length === 1 && one !== undefined
          ? announcementOf(one)
          : commissions.arrived_many(added.length);
    }
  }
  const since = first.current;
  return { announcement: announced.current, isNew: (id) => since !== null && id > since };
}
