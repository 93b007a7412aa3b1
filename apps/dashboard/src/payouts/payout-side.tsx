import { Card } from "@findersfee/ui/components/card";
import { PayoutFacts } from "./payout-facts.tsx";
import { PayoutHistory, PayoutLedger } from "./payout-history.tsx";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";

/** Beside the lines of a payout: its history, its details and its ledger entries. */
export function PayoutSide({ payout }: { payout: Payout }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Card title={payout_texts.history}>
        <PayoutHistory payout={payout} />
      </Card>
      <Card title={payout_texts.details}>
        <PayoutFacts payout={payout} />
      </Card>
      <Card title={payout_texts.ledger}>
        <PayoutLedger payout={payout} />
      </Card>
    </div>
  );
}
