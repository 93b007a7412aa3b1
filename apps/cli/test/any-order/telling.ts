import type { History } from "./history.ts";
import type { Program } from "./program.ts";
import type { Random } from "./random.ts";
import type { Service } from "./service.ts";

/** Of the events, that come twice. */
const TWICE = 0.2;
/** How many are on their way to an organization at once. */
const AT_ONCE = 4;

/** The history's events as they are sent to an organization, whose visitors make its clicks now. */
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
      if (id === undefined) throw new Error(`${placeholder} was not made`);
      return id;
    }),
  );
}

/** Another order, in which some come again, sooner or later. */
export function anyOrder(bodies: readonly string[], random: Random): string[] {
  return random.shuffled([...bodies, ...bodies.filter(() => random.chance(TWICE))]);
}

/** Sends them one after the other. */
export async function tellInOrder(
  { service, program, told }: { service: Service; program: Program; told: () => void },
  bodies: readonly string[],
): Promise<void> {
  for (const body of bodies) {
    await service.tell(program, body);
    told();
  }
}

/** Sends several at once. */
export async function tellAtOnce(
  parts: { service: Service; program: Program; told: () => void },
  bodies: readonly string[],
): Promise<void> {
  const queue = bodies.values();
  const tell = async () => {
    for (const body of queue) {
      await parts.service.tell(parts.program, body);
      parts.told();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, tell));
}
