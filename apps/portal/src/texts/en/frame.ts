export const frame = {
  portal: "Affiliate portal",
  language: "Language",
  menu: "Menu",
  more: "More",
  pages: "Pages",
  home: "Home",
  signed_in_as: "Signed in as",
  programs: "Programs",
  sign_out: "Sign out",
  not_found: "This page does not exist",
  not_found_hint: "The address may be mistyped, or the page was removed.",
  to_portal: "Go to your portal",
  loading: "Loading…",
  offline: "You are offline. What you see may be old.",
  no_programs: "No program has this address",
  no_programs_hint: (email: string) =>
    `${email} is not the address of an affiliate any more. Sign in with another address, or ask the organization.`,
};
