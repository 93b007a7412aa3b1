/** Words for the amounts that refunds, disputes and people take from a commission. */
export const reversal_texts = {
  taken: { refund: "Refund", dispute: "Dispute", refund_and_dispute: "Refunds and disputes" },
  returned: { refund: "Refund failed", dispute: "Dispute won", refund_and_dispute: "Refunds and disputes" },
  gone: { refund: "Refunded", dispute: "Disputed", refund_and_dispute: "Refunded and disputed" },
  partly: { refund: "partly refunded", dispute: "partly disputed", refund_and_dispute: "partly refunded" },
  earned_and_gone: "This payment earned a commission, but nothing of it remains.",
  voided: "Voided",
  changes: { changed: "Changed", voided: "Voided", restored: "Restored" },
  by: (change: string, name: string) => `${change} by ${name}`,
  remains: "Remaining",
};
