import { Time } from "@findersfee/ui/components/values";
import { texts } from "./texts.ts";

const MINUTE_MILLISECONDS = 60_000;

/** The time of the next attempt of a waiting delivery; null: it is in the queue. */
export function NextTry({ at }: { at: string | null }) {
  if (at === null || Date.parse(at) - Date.now() < MINUTE_MILLISECONDS) return texts.next_now;
  return (
    <>
      {texts.next_try} <Time at={at} show="relative" />
    </>
  );
}
