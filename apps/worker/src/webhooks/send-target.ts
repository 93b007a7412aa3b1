import { type EndpointUrlRelaxations, endpointUrlProblem } from "@findersfee/domain/webhooks/endpoints/url";
import { LRUCache } from "lru-cache";

/** A parsed URL, or its problem. */
export type Target = { problem: null; origin: string; path: string } | { problem: string };

/** Checking and parsing a URL for each attempt lowered the rate of deliveries by a tenth. */
const MAX_CACHED = 10_000;

/** Creates a function that validates and parses a URL. */
export function createTargetOf(relaxations: EndpointUrlRelaxations): (url: string) => Target {
  const targets = new LRUCache<string, Target>({
    max: MAX_CACHED,
    memoMethod: (url) => targetOf(url, relaxations),
  });
  return (url) => targets.memo(url);
}

function targetOf(url: string, relaxations: EndpointUrlRelaxations): Target {
  const problem = endpointUrlProblem(url, relaxations);
  if (problem !== null) return { problem };
  const { origin, pathname, search } = new URL(url);
  return { problem, origin, path: `${pathname}${search}` };
}
