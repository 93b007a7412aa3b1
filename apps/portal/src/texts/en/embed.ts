/** The portal in a frame of the organization's product, and as staff see it. */
export const embed = {
  refused: "Your portal couldn’t be opened",
  refused_hint: "Access to it has expired or was already used. Try again, or reload this page.",
  again: "Try again",
  alone: "This page only works inside another site",
  alone_hint:
    "The organization shows it in its own product, where you’re signed in. The portal itself has another address.",
  to_portal: "To the portal",
  view: {
    banner: "View of an affiliate’s portal",
    viewed: (email: string) => `Portal of ${email}`,
    by_staff: (organization: string) => `Read-only, as staff of ${organization}`,
    not_agreed: "Read-only. So far, the person sees an invitation.",
    close: "Close",
    ended: "This view has ended",
    ended_hint:
      "It lasts 30 minutes, ends when you sign out, and works in one tab. Open it again from the affiliate’s page in the dashboard.",
    to_dashboard: "To the dashboard",
  },
};
