import { retryDelivery } from "@findersfee/domain/webhooks/deliveries/retry";
import type { Script } from "./round.ts";
import { Subscriber } from "./subscriber.ts";

/** More than a worker loads for one endpoint at once. */
const MANY = 60;
const SLOW_MILLISECONDS = 50;
/** Failures in a row after which an endpoint is only probed, and events beyond. */
const FAILURES = 5;
const BEYOND = 3;
/** Failures in a row after which probes are 5 minutes apart. */
const FAILED_LONG = 30;
/** The minimum delay between the first attempt and its retry. */
const FIRST_RETRY_MILLISECONDS = 4_000;

/** A burst for a slow endpoint is delivered completely. */
export const deliverBurst: Script = async (stage) => {
  const subscriber = await Subscriber.create(stage, (_, response) => {
    setTimeout(() => response.writeHead(204).end(), SLOW_MILLISECONDS);
  });
  return {
    name: "a burst",
    start: () => subscriber.record(MANY),
    check: () => subscriber.check(),
  };
};

/** An event of another organization, besides the other scripts. */
export const deliverBeside: Script = async (stage) => {
  const subscriber = await Subscriber.create(stage);
  return {
    name: "another organization",
    start: () => subscriber.record(2),
    check: () => subscriber.check(),
  };
};

/** An endpoint that fails until it is only probed, and then recovers. */
export const deliverAgain: Script = async (stage) => {
  const failed = new Map<string, number>();
  const subscriber = await Subscriber.create(stage, ({ id, at }, response) => {
    if (failed.size < FAILURES) failed.set(id, at);
    response.writeHead(failed.get(id) === at ? 500 : 204).end();
  });
  return {
    name: "an endpoint that failed",
    start: () => subscriber.record(FAILURES + BEYOND),
    check: async () => {},
    checkLate: async () => {
      await subscriber.check();
      const early = subscriber.requests.filter(({ id, at }) => {
        const failed_at = failed.get(id) ?? Number.POSITIVE_INFINITY;
        return at > failed_at && at < failed_at + FIRST_RETRY_MILLISECONDS;
      });
      if (early.length > 0) throw new Error(`${early.length} retries came before their time`);
    },
  };
};

/** A manual retry at an endpoint with its next probe minutes away: it is attempted at once, and all else after it. */
export const retryManually: Script = async (stage) => {
  const subscriber = await Subscriber.create(stage);
  const { context, endpoint_id, events } = subscriber;
  await stage.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    values (${context.organization.id}, ${endpoint_id}, ${FAILED_LONG}, now(), now())`;
  return {
    name: "a manual retry",
    start: async () => {
      await subscriber.record(2);
      await retryDelivery(context, { event_id: events.at(-1) ?? "", endpoint_id });
    },
    check: () => subscriber.check(),
  };
};

export const DELIVERIES: readonly Script[] = [deliverBurst, deliverBeside, deliverAgain, retryManually];
