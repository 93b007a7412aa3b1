import { MAX_LOGO_BYTES, MAX_LOGO_SIDE } from "@findersfee/contract/portal/logo-limits";
import { language_names } from "./language-names.ts";

/** The languages that a portal can offer, the default first. */
const LANGUAGES: Record<string, string> = {
  ...language_names,
  "en,de": "English and German",
  "de,en": "German and English",
};

export const texts = {
  title: "Portal",
  hint: "The pages where affiliates sign in, see their earnings and change their details.",
  read_only: "An admin or owner can change these settings.",
  address: "Portal address",
  logo: "Logo",
  logo_hint: "Shown next to the name in the portal’s header.",
  logo_of: (name: string) => `Logo of ${name}`,
  no_logo: "No logo yet",
  upload: "Upload a logo",
  replace: "Replace",
  remove: "Remove",
  logo_limits: `PNG, JPEG or WebP, at most ${MAX_LOGO_BYTES / 1024} KiB and ${MAX_LOGO_SIDE} pixels a side. A transparent background works best.`,
  logo_too_large: (bytes: number) =>
    `The file is ${Math.ceil(bytes / 1024)} KiB; the limit is ${MAX_LOGO_BYTES / 1024}. Save it with fewer pixels.`,
  logo_saved: "Logo saved",
  logo_removed: "Logo removed",
  color: "Color",
  color_hint: "Buttons use the exact color. Text and lines use a readable shade of it in each theme.",
  brand_color: "Brand color",
  brand_color_hint: "A hex code, such as #0b6b53. Leave empty for the default green.",
  pick: "Pick a color",
  on_buttons: (on: "black" | "white") => `Buttons use it, with ${on} text.`,
  moved: (
    { color, theme, part }: { color: string; theme: "light" | "dark"; part: "text" | "lines" },
    used: string,
  ) => {
    const why = theme === "light" ? "too light" : "too dark";
    const users = part === "text" ? "links" : "charts and marks";
    return `${color} is ${why} for ${part} on ${theme === "light" ? "white" : "black"}: ${users} use ${used}.`;
  },
  fits: "Text and lines use it, too, in both themes.",
  preview: "Preview",
  preview_hint: "An affiliate’s home page on a phone, in this color.",
  themes: { light: "Light", dark: "Dark" },
  words: "Languages and legal pages",
  words_hint: "Apply to all campaigns.",
  languages: "Languages",
  languages_hint: "The first one is the default. Emails use each affiliate’s choice.",
  language_names: LANGUAGES,
  terms_url: "Terms",
  terms_hint: "People accept them when they join, and each page links to them. An HTTPS URL.",
  imprint_url: "Imprint",
  imprint_hint: "Each page links to it, the sign-in too. An HTTPS URL.",
  privacy_url: "Privacy policy",
  privacy_hint: "Each page links to it, the sign-in too. An HTTPS URL.",
  help: "Help email",
  help_hint: (email: string | null) =>
    email === null
      ? "None: set a reply-to email under Organization to show it on each portal page."
      : `Each portal page shows ${email}, the reply-to email under Organization.`,
  open_organization: "Organization settings",
  hosts: {
    portal: {
      title: "Custom domain",
      hint: "Serve the portal on your own domain.",
      label: "Portal domain",
      field_hint:
        "Such as partners.example.com. Letters beyond a to z are stored as xn--…. Sessions there see only this organization’s programs.",
      states: {
        unproven: (host: string) => `${host} is not verified yet`,
        proven: (host: string) => `The portal is served at ${host}`,
        failing: (host: string) => `The record of ${host} is missing`,
        stopped: (host: string) => `The portal is no longer served at ${host}`,
      },
      unproven_hint: "The portal is not served there until a DNS record verifies the domain.",
      served_until: "Create it again. Without it, the portal is served there until",
      stopped_hint:
        "Create the record again, then check it. Until then, links in emails use the address above.",
      unreachable: (host: string) => `The portal does not answer at ${host}`,
      unreachable_hint: "Affiliates cannot open the portal there, and links in emails lead there.",
      check: "Check now",
    },
    link: {
      title: "Custom link domain",
      hint: "Affiliate links on your own domain, such as https://go.example.com/jane. They lead to the campaign’s website.",
      label: "Link domain",
      field_hint: "Such as go.example.com, a subdomain of your website, so that its cookies are first-party.",
      states: {
        unproven: (host: string) => `${host} is not verified yet`,
        proven: (host: string) => `Links work at ${host}`,
        failing: (host: string) => `The record of ${host} is missing`,
        stopped: (host: string) => `Links no longer work at ${host}`,
      },
      unproven_hint: "Links lead to the website until a DNS record verifies the domain.",
      served_until: "Create it again. Without it, links work there until",
      stopped_hint:
        "Links that affiliates have published there do not work. Create the record again, then check it.",
      unreachable: (host: string) => `Links at ${host} do not answer`,
      unreachable_hint:
        "Links that affiliates have published there do not work. New ones lead to the website until it answers again.",
      check: "Check links now",
    },
  },
  unreachable_since: "Not answering since",
  unreachable_steps: (button: string) =>
    `The record is there, so check the CNAME record, the domain’s certificate and the reverse proxy. Then click “${button}”; a check also runs every hour.`,
  unanswered_title: (host: string) => `The service does not answer at ${host} yet`,
  unanswered_hint:
    "The domain is verified, and links lead to the website for now. Complete the steps below, then check again.",
  links_example: (url: string) => `${url}/jane`,
  link_cookies: "Set the cookie when a link is opened",
  link_cookies_hint:
    "For pages without the script. Turn it on only if your visitors need not consent to the cookie. Otherwise, the script on your page sets it after they consent.",
  host_failures: {
    missing: "The last check found no TXT record with this value. New records can take an hour to show.",
    different: "The last check found a record with another organization’s ID.",
    unanswered: "The name servers did not answer the last check. Check again in a few minutes.",
  },
  proven_since: "Verified since",
  missing_since: "Missing since",
  checked: "Last record check",
  steps: "Setup steps",
  step_proof: "In your domain’s DNS, add a TXT record. It verifies the domain; keep it.",
  record_name: "Name",
  record_value: "Value",
  record_target: "Target",
  copy_of: (part: string) => `Copy: ${part}`,
  step_dns: (host: string) => `Add a CNAME record for ${host}.`,
  step_proxy:
    "The service’s reverse proxy needs a certificate for the domain and must pass on the Host header. Its operator does this.",
  step_docs: "Examples for Caddy and nginx",
  step_check: (button: string) => `Click “${button}”. The record is checked again every day.`,
  seen: "Last request to this domain",
  never: "Never",
  never_hint: "Requests count once the domain is verified.",
  frames: "Embed",
  frames_hint: "Show the portal inside pages of your own app.",
  frame_origins: "Allowed origins",
  frame_origins_hint: "One per line, such as https://app.example.com. Leave empty to allow none.",
};

/** The preview, in the words of the portal. */
export const preview = {
  ready: "Ready to be paid on 1 December",
  amount: "$120.50",
  held: "$24.50 held",
  your_link: "Your link",
  link: "example.com/?via=jane",
  copy: "Copy",
  earned: "Earned in 30 days",
  payouts: "See your payouts",
  terms_url: "Terms",
  imprint_url: "Imprint",
  privacy_url: "Privacy policy",
  support: (email: string) => `Help: ${email}`,
  home: "Home",
  earnings: "Earnings",
};
