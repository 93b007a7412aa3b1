/** The portal in a frame of the organization's product. */
export const embed = {
  refused: "Your portal could not be opened",
  refused_hint: "Access to it has expired, or was used before. Try again, or reload this page.",
  again: "Try again",
  alone: "This page belongs inside another site",
  alone_hint:
    "The organization shows it in its own product, where you are signed in. The portal itself has another address.",
  to_portal: "To the portal",
};
