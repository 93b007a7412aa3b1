import { whenOnline } from "@findersfee/ui/requests/use-online";
// biome-ignore lint/style/noRestrictedImports: this is the page that waits.
import { lazyRouteComponent } from "@tanstack/react-router";

/**
 * A page that loads its code with its route, and only while there is a network. Without one, the router would
 * load the whole document again, and the browser would show its own page in place of ours.
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => whenOnline().then(load), name);
}
