import { Time } from "@findersfee/ui/components/values";
import type { Attention } from "../attention.ts";
import { countOf, Detail, type Need } from "./need.tsx";
import { texts } from "./texts.ts";

/** The missing settings that keep something from working. */
export function setupNeeds(attention: Attention, home: string): Need[] {
  return [
    ...ledgerNeeds(attention, home),
    ...serviceNeeds(attention, home),
    ...stripeNeeds(attention, home),
    ...silentNeeds(attention, home),
  ];
}

/** Money that does not add up comes first. */
function ledgerNeeds({ ledger_damage }: Attention, home: string): Need[] {
  if (ledger_damage === null) return [];
  const { rows, checked_at } = ledger_damage;
  return [
    {
      id: "ledger",
      tone: "bad",
      to: `${home}/settings/health`,
      action: texts.look,
      text: (
        <>
          {texts.ledger_damage(countOf(rows), rows === 1)}
          <Detail>
            {texts.checked} <Time at={checked_at} show="relative" />
          </Detail>
        </>
      ),
    },
  ];
}

/** Workers and mails, which the service's operator sets up. */
function serviceNeeds({ stalled_work, mail_delivery, unsent_mails }: Attention, home: string): Need[] {
  const needs: Need[] = [];
  const shared = { to: `${home}/settings/health`, action: texts.look };
  if (stalled_work !== null) {
    needs.push({
      id: "workers",
      tone: "bad",
      ...shared,
      text: (
        <>
          {stalled_work.workers === 0 ? texts.no_worker : texts.slow_workers}
          <Detail>
            {texts.waits_since} <Time at={stalled_work.due_at} show="relative" />
          </Detail>
        </>
      ),
    });
  }
  if (mail_delivery !== null && mail_delivery !== "sent") {
    const { count } = unsent_mails;
    needs.push({
      id: "mails",
      tone: mail_delivery === "local" ? "info" : "bad",
      ...shared,
      text: (
        <>
          {texts.mail_delivery[mail_delivery]}
          {mail_delivery !== "local" && count > 0 && (
            <Detail>{texts.unsent(countOf(count), count === 1)}</Detail>
          )}
        </>
      ),
    });
  }
  return needs;
}

/** An API key that promo codes need, and events that the endpoint at Stripe lacks. */
function stripeNeeds({ codes_without_key: codes, stripe_events }: Attention, home: string): Need[] {
  const needs: Need[] = [];
  const shared = { tone: "warn" as const, to: `${home}/connections/stripe`, action: texts.set_up };
  if (codes > 0)
    needs.push({
      id: "stripe-key",
      ...shared,
      text: texts.codes_without_key(countOf(codes), codes === 1),
    });
  if (stripe_events !== null) {
    const { missing, error } = stripe_events;
    needs.push({
      id: "stripe-events",
      ...shared,
      text:
        missing.length > 0 ? (
          <>
            {texts.missing_events(missing.length)}
            <Detail>
              <bdi>{missing.slice(0, 3).join(", ")}</bdi>
              {missing.length > 3 && " …"}
            </Detail>
          </>
        ) : (
          <>
            {texts.unchecked_events}
            {error !== null && <Detail>{error}</Detail>}
          </>
        ),
    });
  }
  return needs;
}

/** Websites that may lack the script. */
function silentNeeds({ silent_campaigns }: Attention, home: string): Need[] {
  return silent_campaigns.map(({ campaign_id, name }) => ({
    id: `silent-${campaign_id}`,
    tone: "warn",
    to: `${home}/campaigns/${campaign_id}/install`,
    action: texts.check,
    text: texts.silent_campaign(name),
  }));
}
