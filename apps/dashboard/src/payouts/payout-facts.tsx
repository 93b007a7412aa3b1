import { Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton, ShortId } from "@findersfee/ui/components/copy";
import { Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { nameOf } from "../affiliates/name.ts";
import { useSession } from "../session/session.tsx";
import { monthOf } from "./month.ts";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";
import { texts } from "./texts.ts";

export function PayoutFacts({ payout }: { payout: Payout }) {
  const { home } = useSession();
  const { id, affiliate, payout_email, method, run, period, reference } = payout;
  return (
    <Facts narrow>
      <Fact label={texts.affiliate}>
        <Link to={`${home}/affiliates/${affiliate.id}`} className="text-accent underline">
          <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>
        </Link>
      </Fact>
      <Fact label={payout_texts.paid_to}>
        <Untrusted>{payout_email ?? "—"}</Untrusted>
      </Fact>
      <Fact label={texts.method}>{texts.methods[method]}</Fact>
      {run !== null && (
        <Fact label={payout_texts.run}>
          <Link to={`${home}/payouts/runs/${run.id}`} className="text-accent underline">
            {monthOf(period)}
          </Link>
        </Fact>
      )}
      <Fact label={payout_texts.reference}>
        <span className="flex min-w-0 items-center gap-1 font-mono text-meta">
          <span className="truncate" title={reference}>
            {reference}
          </span>
          <CopyButton text={reference} quiet />
        </span>
      </Fact>
      <Fact label={payout_texts.payout}>
        <ShortId id={id} />
      </Fact>
    </Facts>
  );
}
