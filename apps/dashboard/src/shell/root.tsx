import { BROWSER_CLOCK, dateLocale } from "@findersfee/ui/formats/clock";
import { Providers } from "@findersfee/ui/shell/providers";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { meQuery } from "../session/session.tsx";
import { navigationOf } from "./navigation.ts";

/** Everything that all pages need above them. */
export function Root() {
  const router = useRouter();
  const navigation = useMemo(() => navigationOf(router), [router]);
  // Read from the cache only: pages outside of organizations have no session.
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const dates = me?.preferences.dates;
  const clock = useMemo(() => ({ ...BROWSER_CLOCK, locale: dateLocale("en", dates) }), [dates]);
  return (
    <Providers navigation={navigation} clock={clock} shortcuts={me?.preferences.shortcuts ?? true}>
      <Outlet />
    </Providers>
  );
}
