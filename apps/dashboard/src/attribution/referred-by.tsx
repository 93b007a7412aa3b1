import { Time } from "@findersfee/ui/components/values";
import { UserPlus } from "lucide-react";
import { actorOf } from "../audit-log/link/actor.ts";
import type { Explained } from "./queries.ts";
import { texts } from "./texts.ts";

/** Who made the customer a referral: `Referred by hand by Morgan Reyes on Nov 26`. */
export function ReferredBy({ referred_by }: { referred_by: NonNullable<Explained["referred_by"]> }) {
  const is_api = /^key\b/.test(referred_by.actor);
  return (
    <p className="flex gap-2 not-last:mb-3">
      <UserPlus aria-hidden size={14} className="mt-1 shrink-0 text-muted" />
      <span>
        {referred_by.is_credit
          ? texts.referred_by_credit
          : is_api
            ? texts.referred_by_api
            : texts.referred_by_hand}{" "}
        {(referred_by.is_credit || !is_api || referred_by.actor_name !== null) && (
          <bdi className="font-medium">{actorOf(referred_by)}</bdi>
        )}{" "}
        {texts.on_day} <Time at={referred_by.at} show="day" />
      </span>
    </p>
  );
}
