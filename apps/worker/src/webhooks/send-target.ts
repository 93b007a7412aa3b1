import { type EndpointUrlRelaxations, endpointUrlProblem } from "@findersfee/domain/webhooks/endpoint-url";

/** Where a request goes; or the problem of its URL. */
export type Target = { problem: null; origin: string; path: string } | { problem: string };

/** Of so many URLs the target is remembered: to parse and judge one each time took a tenth off the rate. */
const MOST_REMEMBERED = 10_000;

/** Makes a function that judges a URL, and takes it apart. */
export function createTargetOf(relaxations: EndpointUrlRelaxations): (url: string) => Target {
  const remembered = new Map<string, Target>();
  return (url) => {
    const known = remembered.get(url);
    if (known !== undefined) return known;
    const target = targetOf(url, relaxations);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(url, target);
    return target;
  };
}

function targetOf(url: string, relaxations: EndpointUrlRelaxations): Target {
  const problem = endpointUrlProblem(url, relaxations);
  if (problem !== null) return { problem };
  const { origin, pathname, search } = new URL(url);
  return { problem, origin, path: `${pathname}${search}` };
}
