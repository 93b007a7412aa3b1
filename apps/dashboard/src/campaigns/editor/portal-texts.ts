/** The affiliates’ portal of a campaign. */
export const texts = {
  joining: "Joining",
  who: "Who can join",
  joining_hints: {
    listed: "Your organization’s public page lists the campaign.",
    by_link: "Only people with the link can find the form.",
    closed: "The link shows that the program takes no new affiliates. You can still add them.",
  },
  address: "Link to join",
  all_address: "Your organization’s public page",
  reading: "What affiliates read",
  welcome: "Welcome message",
  welcome_hint: "Part of the email that approved affiliates get.",
  dashboard_text: "Text in the portal",
  dashboard_hint:
    "On the home page of the portal. Web addresses become links. Also: **bold**, *italic*, [label](https://…), # heading, - list.",
  hide_emails: "Hide part of customers’ emails from affiliates",
  nothing_written: "Nothing here yet.",
  mail: "Email to Jane",
  portal_preview: "Portal",
};
