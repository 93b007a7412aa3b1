import { Fact, Facts } from "@findersfee/ui/components/card";
import { Money, Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { actorOf } from "../../audit-log/link/actor.ts";
import { useSession } from "../../session/session.tsx";
import type { ClaimDetail } from "./queries.ts";
import { ClaimStatus } from "./state.tsx";
import { texts } from "./texts.ts";

/** The name of the person who decided a claim. */
export function deciderOf({ decided_by, decided_by_name }: ClaimDetail["claim"]): string {
  return decided_by === null ? texts.somebody : actorOf({ actor: decided_by, actor_name: decided_by_name });
}

/** The decision, its reason, and the commission as it is now. */
export function Decided({ detail: { claim, commission } }: { detail: ClaimDetail }) {
  const { home } = useSession();
  return (
    <Facts narrow>
      <Fact label={texts.state}>
        <ClaimStatus state={claim.state} />
      </Fact>
      <Fact label={texts.decided_by}>
        <bdi>{deciderOf(claim)}</bdi>
      </Fact>
      {claim.decided_at !== null && (
        <Fact label={texts.decided_at}>
          <Time at={claim.decided_at} />
        </Fact>
      )}
      <Fact label={texts.answer}>
        {claim.answer === null ? (
          <span className="text-muted">{texts.no_answer}</span>
        ) : (
          <span dir="auto" className="block whitespace-pre-wrap wrap-anywhere">
            {claim.answer}
          </span>
        )}
      </Fact>
      {commission !== null && (
        <Fact label={texts.commission}>
          <Link to={`${home}/commissions/${commission.id}`} className="text-accent underline">
            <Money amount={commission.commission_amount} currency={commission.currency} />
          </Link>
          {commission.payout_status === "voided" && <span className="text-muted">, {texts.voided}</span>}
        </Fact>
      )}
    </Facts>
  );
}
