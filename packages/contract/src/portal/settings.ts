import { z } from "zod";
import { must, text, timestamp } from "../fields.ts";
import { parseUrl } from "../parse-url.ts";
import { isHostName } from "./host-name.ts";
import { portalLanguages } from "./join-paths.ts";
import { MAX_LOGO_CHARACTERS } from "./logo-limits.ts";
import { portalLookSchema } from "./look.ts";

const MAX_FRAME_ORIGINS = 10;

/** The proof that the organization has its custom domain: a TXT record. */
const hostProofSchema = z
  .object({
    record: z.object({ name: z.string(), value: z.string() }).meta({
      description: "The TXT record to create.",
      example: {
        name: "_findersfee.partners.example.com",
        value: "findersfee=019aa0de-71a5-7000-8b2e-0e4d5a1c7f10",
      },
    }),
    proven_at: timestamp
      .nullable()
      .meta({ description: "Since when the custom domain is served; null: it is not." }),
    checked_at: timestamp.nullable().meta({ description: "The last check of the record; null: none yet." }),
    failure: z.enum(["missing", "different", "unanswered"]).nullable().meta({
      description:
        "Why the last check found no proof: no record, one of another organization, or no answer of the name servers.",
    }),
    failing_since: timestamp.nullable().meta({
      description:
        "Since when a verified custom domain has had no record. If it is no longer served, this is why.",
    }),
    served_until: timestamp.nullable().meta({
      description: "When the custom domain stops being served, unless the record is back by then.",
    }),
    unreachable_since: timestamp.nullable().meta({
      description:
        "Since when the service, which had answered at the verified custom domain, does not answer there; null: it does, or it never has.",
    }),
  })
  .meta({ id: "PortalHostProof" });

/** The settings of the organization's portal. */
export const portalSettingsSchema = z.object({
  look: portalLookSchema,
  host: z.string().nullable().meta({
    description: "The custom domain that the organization wants for its portal, in ASCII; null: none.",
    example: "partners.example.com",
  }),
  host_proof: hostProofSchema.nullable(),
  host_seen_at: timestamp.nullable().meta({
    description: "When a request last asked for the custom domain, to the hour; null: never.",
  }),
  link_host: z.string().nullable().meta({
    description: "The custom domain that the organization wants for links, in ASCII; null: none.",
    example: "go.example.com",
  }),
  link_host_proof: hostProofSchema.nullable(),
  link_host_seen_at: timestamp.nullable().meta({
    description: "When a request last asked for the custom link domain, to the hour; null: never.",
  }),
  link_cookies: z.boolean().meta({
    description:
      "Whether a link at the custom link domain sets the cookie of its click at once. Otherwise the page's script does, after the visitor's consent if the page asks for it.",
  }),
  frame_origins: z.array(z.string()).meta({
    description: "The origins of pages that may show the portal in a frame.",
    example: ["https://app.example.com"],
  }),
  urls: z.object({
    service: z.string().meta({ description: "The portal at the service's address." }),
    host: z
      .string()
      .nullable()
      .meta({ description: "The portal at its custom domain; null: none is served." }),
    links: z.string().nullable().meta({
      description:
        "The address before the codes of links; null: the service has not answered at their custom domain, and links lead to the website.",
    }),
  }),
});

export type PortalSettings = z.infer<typeof portalSettingsSchema>;

const colorInput = text(7)
  .overwrite((value) => value.toLowerCase())
  .regex(/^#[0-9a-f]{6}$/, must("Must be # and six hexadecimal digits, as in #0b6b53."));

const pageUrlInput = text(2048).refine(isHttpsUrl, must("Must be an https address."));

function isHttpsUrl(value: string): boolean {
  const url = /[\s\p{Cc}]/u.test(value) ? null : parseUrl(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}

const languagesInput = z
  .array(z.enum(portalLanguages))
  .min(1, must("Choose at least one language."))
  .refine((names) => new Set(names).size === names.length, must("Name each language once."));

const HOST = "Must be a host name below your domain, as in partners.example.com, without https:// and port.";

/** The record that proves it has a longer name, which DNS must allow. */
const MAX_HOST_LENGTH = 241;

/** Names are stored and compared in ASCII, as browsers ask for them: `bücher.example.com` is `xn--bcher-kva.example.com`. */
const hostInput = text(253)
  .overwrite(toAscii)
  .refine((host) => isHostName(host) && host.length <= MAX_HOST_LENGTH, must(HOST));

/** Other texts stay as they are. */
function toAscii(value: string): string {
  const name = value.trim().replace(/\.$/, "");
  return /[\s/:@?#\\%[\]]/.test(name) ? value : (parseUrl(`https://${name}`)?.hostname ?? value);
}

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
  terms_url: pageUrlInput.nullable().optional(),
  imprint_url: pageUrlInput.nullable().optional(),
  privacy_url: pageUrlInput.nullable().optional(),
  languages: languagesInput.optional(),
  host: hostInput.nullable().optional(),
  link_host: hostInput.nullable().optional(),
  link_cookies: z.boolean().optional(),
  frame_origins: z
    .array(originInput)
    .max(MAX_FRAME_ORIGINS)
    .refine((origins) => new Set(origins).size === origins.length, must("Name each origin once."))
    .optional(),
});

/** Whether to check the record of the portal's domain or of the link domain. */
export const checkHostInput = z.strictObject({ use: z.enum(["portal", "link"]).default("portal") });

export type UpdatePortal = z.infer<typeof updatePortalInput>;

export const setLogoInput = z.strictObject({
  content: text(MAX_LOGO_CHARACTERS)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, must("Must be base64."))
    .meta({ description: "A PNG, JPEG or WebP file in base64." }),
});

export type SetLogo = z.infer<typeof setLogoInput>;
