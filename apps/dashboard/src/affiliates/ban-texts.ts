import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  start: "Ban…",
  title: (name: string) => `Ban ${name}?`,
  title_of_several: (count: number) => `Ban ${formatCount(count)} affiliates?`,
  hint: "Nothing is attributed to the affiliate any more, and the portal shows what is still owed. You can end the ban at any time.",
  hint_of_several:
    "Nothing is attributed to these affiliates any more, and the portal shows each what is still owed. You can end the bans at any time.",
  owed: "What becomes of money that is not paid?",
  owed_amounts: (amounts: string) => `${amounts} is not paid yet. What becomes of it?`,
  dues: {
    hold: { label: "Hold it", hint: "Payout runs leave it out until you release it in the preview." },
    pay: { label: "Pay it", hint: "The next payout run pays what is due." },
    void: {
      label: "Void it",
      hint: "Commissions are voided, and amounts added by adjustments withdrawn. Payouts that exist already are not canceled.",
    },
  },
  reason: "Reason",
  reason_hint: "The affiliate reads it in the portal.",
  reason_hint_of_several: "Each of them reads it in the portal.",
  cancel: "Cancel",
  confirm: "Ban",
  unban_title: (name: string) => `Unban ${name}?`,
  unban_title_of_several: (count: number) => `Unban ${formatCount(count)} affiliates?`,
  unban_held: "The ban left the affiliate out of payout runs. What becomes of money that is not paid?",
  unban_held_amounts: (amounts: string) =>
    `The ban left the affiliate out of payout runs: ${amounts} is not paid yet. What becomes of it?`,
  unban_held_of_several:
    "Bans can have left affiliates out of payout runs. What becomes of money that is not paid?",
  releases: {
    release: { label: "Pay it", hint: "Payout runs pay what is due again." },
    keep: {
      label: "Keep it on hold",
      hint: "Payout runs leave it out until you release it on the affiliate’s page or in the preview.",
    },
  },
  unban_confirm: "Unban",
};
