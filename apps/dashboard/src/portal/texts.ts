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
  address: "Address of the portal",
  logo: "Logo",
  logo_hint: "Shown beside the name in the header of the portal.",
  logo_of: (name: string) => `Logo of ${name}`,
  no_logo: "No logo yet",
  upload: "Upload a logo",
  replace: "Replace",
  remove: "Remove",
  logo_limits: `PNG, JPEG or WebP, at most ${MAX_LOGO_BYTES / 1024} KiB and ${MAX_LOGO_SIDE} pixels a side. A transparent background works best.`,
  logo_too_large: (bytes: number) =>
    `The file has ${Math.ceil(bytes / 1024)} KiB; a logo may have ${MAX_LOGO_BYTES / 1024}. Save it with fewer pixels.`,
  logo_saved: "Logo saved",
  logo_removed: "Logo removed",
  color: "Color",
  color_hint: "Buttons have it as it is. Text and lines get a readable shade of it in each theme.",
  brand_color: "Brand color",
  brand_color_hint: "# and six hexadecimal digits, as in #0b6b53. Leave empty for the green of the service.",
  pick: "Pick a color",
  on_buttons: (on: "black" | "white") => `Buttons keep it, with ${on} text.`,
  moved: (
    { color, theme, part }: { color: string; theme: "light" | "dark"; part: "text" | "lines" },
    used: string,
  ) => {
    const why = theme === "light" ? "too light" : "too dark";
    const users = part === "text" ? "links" : "charts and marks";
    return `${color} is ${why} for ${part} on ${theme === "light" ? "white" : "black"}: ${users} use ${used}.`;
  },
  fits: "Text and lines keep it, too, in both themes.",
  preview: "Preview",
  preview_hint: "The home of an affiliate on a phone, with the color as it is typed.",
  themes: { light: "Light", dark: "Dark" },
  words: "Words and terms",
  words_hint: "Apply to all campaigns.",
  languages: "Languages",
  languages_hint:
    "People with a browser that asks for neither get the first. Emails to affiliates follow their choice.",
  language_names: LANGUAGES,
  terms_url: "Terms",
  terms_hint: "People accept them when they join, and each page links to them. An https address.",
  help: "Help address",
  help_hint: (email: string | null) =>
    email === null
      ? "None: set the reply-to email under Organization, and each page of the portal shows it."
      : `Each page of the portal shows ${email}, the reply-to email under Organization.`,
  open_organization: "Organization settings",
  hosts: {
    portal: {
      title: "Own host name",
      hint: "The portal at a name of your domain, without the name of this service.",
      label: "Host name",
      field_hint:
        "As in partners.example.com. Letters beyond a to z are stored as xn--…. Sessions there see the programs of this organization alone.",
      states: {
        unproven: (host: string) => `${host} is not proven yet`,
        proven: (host: string) => `The portal is served at ${host}`,
        failing: (host: string) => `The record of ${host} is missing`,
        stopped: (host: string) => `The portal is no longer served at ${host}`,
      },
      unproven_hint: "The portal is not served there until a record proves that the name is yours.",
      served_until: "Create it again. Without it, the portal is served there until",
      stopped_hint:
        "Create the record again, then check it. Links in emails lead to the address above meanwhile.",
      check: "Check now",
    },
    link: {
      title: "Host name of links",
      hint: "Links of affiliates at a name of your domain, as in https://go.example.com/jane. They lead to the campaign's website.",
      label: "Name for links",
      field_hint:
        "As in go.example.com, below the domain of your website, so that its cookies are first-party.",
      states: {
        unproven: (host: string) => `${host} is not proven yet`,
        proven: (host: string) => `Links work at ${host}`,
        failing: (host: string) => `The record of ${host} is missing`,
        stopped: (host: string) => `Links no longer work at ${host}`,
      },
      unproven_hint: "Links lead to the website until a record proves that the name is yours.",
      served_until: "Create it again. Without it, links work there until",
      stopped_hint:
        "Links that affiliates have published there do not work. Create the record again, then check it.",
      check: "Check links now",
    },
  },
  unanswered_title: (host: string) => `The service does not answer at ${host} yet`,
  unanswered_hint:
    "The name is proven, and links lead to the website meanwhile. Complete the steps below, then check again.",
  links_example: (url: string) => `${url}/jane`,
  link_cookies: "Set the cookie when a link is opened",
  link_cookies_hint:
    "For pages without the script. Choose it only if your visitors need not agree to the cookie: otherwise the script of your page sets it, after their consent.",
  host_failures: {
    missing: "The last check found no TXT record with this value. New records can take an hour to show.",
    different: "The last check found a record with the id of another organization.",
    unanswered: "The name servers did not answer the last check. Check again in a few minutes.",
  },
  proven_since: "Proven since",
  missing_since: "Missing since",
  checked: "Last check of the record",
  steps: "To make it work",
  step_proof: "In the DNS of your domain, add a TXT record. It proves that the name is yours: keep it.",
  record_name: "Name",
  record_value: "Value",
  record_target: "Target",
  copy_of: (part: string) => `Copy: ${part}`,
  step_dns: (host: string) => `Add a CNAME record for ${host}.`,
  step_proxy:
    "The reverse proxy of this service needs a certificate for the name, and passes the Host header on. Its operator does this.",
  step_docs: "Examples for Caddy and nginx",
  step_check: (button: string) => `Choose “${button}”. The record is checked again every day.`,
  seen: "Last request at this host name",
  never: "Never",
  never_hint: "Requests count once the name is proven.",
  frames: "Frames",
  frames_hint: "Pages of your own application may show the portal inside.",
  frame_origins: "Origins of these pages",
  frame_origins_hint: "One per line, as in https://app.example.com. Without any, no page may.",
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
  terms: "Terms",
  support: (email: string) => `Help: ${email}`,
  home: "Home",
  earnings: "Earnings",
};
