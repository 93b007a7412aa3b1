import type { History } from "./history.ts";
import type { Program } from "./program.ts";
import type { Random } from "./random.ts";
import type { Service } from "./service.ts";

/** The share of events that arrive twice. */
const TWICE = 0.2;
/** The maximum number of concurrent events per organization. */
const AT_ONCE = 4;

/** The history's events as sent to an organization, with its visitors' clicks created now. */
export async function bodiesOf(
  service: Service,
  program: Program,
  { events, clicks }: History,
): Promise<string[]> {
  const ids = new Map<string, string>();
  for (const { partner, placeholder } of clicks) {
    ids.set(placeholder, await service.click(program, `link${partner}`));
  }
  return events.map((event) =>
    JSON.stringify(event).replaceAll(/click-\d+-placeholder/g, (placeholder) => {
      const id = ids.get(placeholder);
      if (id === undefined) throw new Error(`no click for ${placeholder}`);
      return id;
    }),
  );
}

/** Another order with some duplicates, earlier or later. */
export function anyOrder(bodies: readonly string[], random: Random): string[] {
  return random.shuffled([...bodies, ...bodies.filter(() => random.chance(TWICE))]);
}

/** Sends them sequentially. */
export async function reportInOrder(
  { service, program, reported }: { service: Service; program: Program; reported: () => void },
  bodies: readonly string[],
): Promise<void> {
  for (const body of bodies) {
    await service.report(program, body);
    reported();
  }
}

/** Sends several concurrently. */
export async function reportConcurrently(
  parts: { service: Service; program: Program; reported: () => void },
  bodies: readonly string[],
): Promise<void> {
  const queue = bodies.values();
  const report = async () => {
    for (const body of queue) {
      await parts.service.report(parts.program, body);
      parts.reported();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, report));
}
