import { Time } from "@findersfee/ui/components/values";
import { nameOf } from "../../affiliates/name.ts";
import { actorOf } from "../../audit-log/link/actor.ts";
import type { Explained } from "../queries.ts";
import { sentence_texts as texts } from "./sentence-texts.ts";

export type ShownOverride = NonNullable<Explained["override"]>;

/** A person's decision and its reason: `Moved to Jane Doe by Morgan on Nov 26`. */
export function OverrideSentence({ override, struck }: { override: ShownOverride; struck?: boolean }) {
  const { type, affiliate, created_by: actor, created_by_name: actor_name, created_at, reason } = override;
  return (
    <>
      <p className={`wrap-anywhere ${struck ? "text-muted line-through" : ""}`}>
        {texts.made[type]}{" "}
        {type !== "stop" && (
          <bdi className="font-medium">
            {affiliate === null ? texts.erased_affiliate : nameOf(affiliate)}{" "}
          </bdi>
        )}
        <DecisionAuthor actor={actor} actor_name={actor_name} at={created_at} />
      </p>
      <Reason>{reason}</Reason>
    </>
  );
}

/** `by Morgan on Nov 26` */
export function DecisionAuthor({ at, ...who }: { actor: string; actor_name: string | null; at: string }) {
  return (
    <>
      {texts.by} <bdi>{actorOf(who)}</bdi> {texts.on} <Time at={at} show="day" />
    </>
  );
}

export function Reason({ children }: { children: string }) {
  return (
    <p dir="auto" className="text-table whitespace-pre-wrap wrap-anywhere text-muted">
      {children}
    </p>
  );
}
