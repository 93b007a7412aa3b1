export const invitations = {
  title: "Invitations",
  title_one: "You have an invitation",
  title_many: (count: number) => `You have ${count} invitations`,
  show_all: (count: number) => `Show all ${count}`,
  hint: (email: string) => `Sent to ${email}.`,
  invites: (organization: string, campaign: string) =>
    `${organization} added you as an affiliate in “${campaign}”.`,
  accept_means:
    "If you accept, the program appears in your portal with your links, commissions, and payouts, and the organization emails you about them.",
  disown_means:
    "If it isn’t yours, it disappears from here, you get no more emails about it, and the organization sees that you declined.",
  money_stays:
    "Nothing is lost either way: what your links and codes earn still counts, and the organization pays it as before.",
  accept: "Accept",
  disown: "Not mine",
  none: "No open invitations",
  none_hint: "When an organization adds you as an affiliate, its invitation appears here until you answer.",
  to_portal: "Go to your portal",
  sign_out: "Sign out",
};
