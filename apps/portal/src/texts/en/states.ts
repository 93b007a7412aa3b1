export const states = {
  waiting: (organization: string) => `${organization} is looking at your application`,
  waiting_hint: (email: string) => `We write to ${email} as soon as there is a decision.`,
  declined: (organization: string) => `${organization} has declined your application`,
  declined_hint: "You earn nothing in this program.",
  reason: "The reason",
  banned: (organization: string) => `${organization} has closed your account`,
  banned_hint: "You earn nothing in this program any more, and its links do not count.",
  contact: "Questions?",
  write_to: (email: string) => `Write to ${email}`,
};
