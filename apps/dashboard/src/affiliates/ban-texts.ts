import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  start: "Ban…",
  title: (name: string) => `Ban ${name}?`,
  title_of_several: (count: number) => `Ban ${formatCount(count)} affiliates?`,
  hint: "The affiliate earns no new commissions, and the portal shows what is held or due. You can unban them at any time.",
  hint_of_several:
    "These affiliates earn no new commissions, and the portal shows each what is held or due. You can unban them at any time.",
  owed: "What should happen to held and due money?",
  owed_amounts: (amounts: string) => `${amounts} is held or due. What should happen to it?`,
  dues: {
    hold: { label: "Hold it", hint: "Payout runs leave it out until you release it in the preview." },
    pay: { label: "Pay it", hint: "The next payout run pays what is due." },
    void: {
      label: "Void it",
      hint: "Commissions are voided, and amounts added by adjustments withdrawn. Existing payouts are not canceled.",
    },
  },
  reason: "Reason",
  reason_hint: "The affiliate sees it in the portal.",
  reason_hint_of_several: "Each of them sees it in the portal.",
  cancel: "Cancel",
  confirm: "Ban",
  unban_title: (name: string) => `Unban ${name}?`,
  unban_title_of_several: (count: number) => `Unban ${formatCount(count)} affiliates?`,
  unban_held: "The ban left the affiliate out of payout runs. What should happen to held and due money?",
  unban_held_amounts: (amounts: string) =>
    `The ban left the affiliate out of payout runs: ${amounts} is held or due. What should happen to it?`,
  unban_held_of_several:
    "Bans may have left affiliates out of payout runs. What should happen to held and due money?",
  releases: {
    release: { label: "Pay it", hint: "Payout runs pay what is due again." },
    keep: {
      label: "Keep it on hold",
      hint: "Payout runs leave it out until you release it on the affiliate’s page or in the preview.",
    },
  },
  unban_confirm: "Unban",
};
