import { z } from "zod";
import { must, text, timestamp } from "../fields.ts";
import { parseUrl } from "../parse-url.ts";
import { isHostName } from "./host-name.ts";
import { portalLanguages } from "./join-paths.ts";
import { MAX_LOGO_CHARACTERS } from "./logo-limits.ts";
import { portalLookSchema } from "./look.ts";

const MAX_FRAME_ORIGINS = 10;

/** The settings of the organization's portal. */
export const portalSettingsSchema = z.object({
  look: portalLookSchema,
  host: z.string().nullable().meta({
    description: "The host name of the organization's own portal; null: none.",
    example: "partners.example.com",
  }),
  host_seen_at: timestamp.nullable().meta({
    description: "When a request last asked for the host name, to the hour; null: never.",
  }),
  frame_origins: z.array(z.string()).meta({
    description: "The origins of pages that may show the portal in a frame.",
    example: ["https://app.example.com"],
  }),
  urls: z.object({
    service: z.string().meta({ description: "The portal at the service's address." }),
    host: z.string().nullable().meta({ description: "The portal at its own host name; null: it has none." }),
  }),
});

export type PortalSettings = z.infer<typeof portalSettingsSchema>;

const colorInput = text(7)
  .overwrite((value) => value.toLowerCase())
  .regex(/^#[0-9a-f]{6}$/, must("Must be # and six hexadecimal digits, as in #0b6b53."));

const termsUrlInput = text(2048).refine(isHttpsUrl, must("Must be an https address."));

function isHttpsUrl(value: string): boolean {
  const url = /[\s\p{Cc}]/u.test(value) ? null : parseUrl(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}

const languagesInput = z
  .array(z.enum(portalLanguages))
  .min(1, must("Choose at least one language."))
  .refine((names) => new Set(names).size === names.length, must("Name each language once."));

const HOST =
  "Must be a host name of your domain in lower case, as in partners.example.com, without https:// and port.";

const hostInput = text(253)
  .overwrite((value) => value.toLowerCase())
  .refine(isHostName, must(HOST));

const ORIGIN = "Must be an origin on https, as in https://app.example.com, or on localhost for tests.";

/** An origin in the form that browsers send, without a path. */
const originInput = text(300).refine(isFrameOrigin, must(ORIGIN));

function isFrameOrigin(value: string): boolean {
  const url = parseUrl(value);
  if (url === null || url.origin !== value) return false;
  // In a list of sources, `*`, `;` and `,` would mean more than this origin.
  if (!/^https?:\/\/[a-z0-9.[\]:-]+$/.test(value)) return false;
  return url.protocol === "https:" || ["localhost", "127.0.0.1"].includes(url.hostname);
}

/** Omitted fields keep their values. */
export const updatePortalInput = z.strictObject({
  brand_color: colorInput.nullable().optional(),
  terms_url: termsUrlInput.nullable().optional(),
  languages: languagesInput.optional(),
  host: hostInput.nullable().optional(),
  frame_origins: z
    .array(originInput)
    .max(MAX_FRAME_ORIGINS)
    .refine((origins) => new Set(origins).size === origins.length, must("Name each origin once."))
    .optional(),
});

export type UpdatePortal = z.infer<typeof updatePortalInput>;

export const setLogoInput = z.strictObject({
  content: text(MAX_LOGO_CHARACTERS)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, must("Must be base64."))
    .meta({ description: "A PNG, JPEG or WebP file in base64." }),
});

export type SetLogo = z.infer<typeof setLogoInput>;
