/** The affiliates’ portal of a campaign. */
export const texts = {
  welcome: "Welcome message",
  welcome_hint: "Part of the email that approved affiliates get.",
  dashboard_text: "Text in the portal",
  dashboard_hint: "At the top of the affiliates’ portal. Web addresses become links.",
  hide_emails: "Hide part of customers’ emails from affiliates",
  nothing_written: "Nothing here yet.",
  mail: "Email to Jane",
  portal_preview: "Portal",
};
