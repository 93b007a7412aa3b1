/** The pages behind links, up to the token. A token after `#` reaches no server and no log. */
const LINK_PAGES = {
  setup: "/setup#",
  invitation: "/invitation#",
  password_reset: "/reset#",
  email: "/sign-in/confirm-email#",
  device: "/sign-in/confirm-device#",
  portal: "/portal/sign-in/confirm#",
} as const;

/** The address of a page with a token: `https://app.example.com/setup#<token>`. */
export function linkTo(base_url: string, page: keyof typeof LINK_PAGES, token: string): string {
  return `${base_url}${LINK_PAGES[page]}${token}`;
}
