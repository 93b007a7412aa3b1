/** The installation of a campaign. */
export const texts = {
  tag_title: "On your website",
  links_title: "Links",
  test_title: "Test it",
  stripe_title: "Payments",
  last_click: "Last click",
  no_affiliate: "Nobody has joined this campaign yet: a test needs an affiliate’s link.",
  no_key: "There is no publishable key. Create one under API keys.",
  connected: "Connected",
  last_message: "Last message",
  no_message: "No messages yet.",
};
