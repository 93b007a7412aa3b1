import { State, type StateTone } from "@findersfee/ui/components/state";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Payout } from "./queries.ts";

const TONES: Record<Payout["status"], StateTone> = {
  pending: "waiting",
  processing: "waiting",
  paid: "done",
  failed: "failed",
  canceled: "stopped",
};

/** The state of a payout in words, with its day. */
export function Status({ payout: { status, status_at } }: { payout: Pick<Payout, "status" | "status_at"> }) {
  const { payouts } = useTexts();
  const { day } = useFormats();
  return <State tone={TONES[status]}>{payouts.statuses[status](day(status_at))}</State>;
}
