import { z } from "zod";
import { email, id } from "../fields.ts";
import type { ThemeColors } from "./brand-colors.ts";
import { portalLanguages } from "./join-paths.ts";

const color = z.string().meta({ example: "#0b6b53" });

const themeColorsSchema = z.object({
  solid: color,
  solid_hover: color,
  on_solid: color,
  solid_edge: color,
  text: color,
  line: color,
} satisfies Record<keyof ThemeColors, z.ZodType<string>>);

/** How the portal looks: the same for everybody who opens it. */
export const portalLookSchema = z.object({
  name: z.string().meta({ description: "The organization's name.", example: "Acme" }),
  logo: z
    .object({
      path: z.string().meta({
        description: "Its address below the service's, without a slash in front. Its content never changes.",
        example: "portal/logo/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90/5f2b8c6d1e90a1b2c3d4e5f60718293a",
      }),
      width: z.int().meta({ description: "In pixels." }),
      height: z.int().meta({ description: "In pixels." }),
    })
    .nullable(),
  brand_color: z.string().nullable().meta({
    description: "As it was chosen. Null: the service's own.",
    example: "#0b6b53",
  }),
  colors: z
    .object({ light: themeColorsSchema, dark: themeColorsSchema })
    .nullable()
    .meta({ description: "Readable colors, derived from `brand_color`; null without one." }),
  terms_url: z.string().nullable().meta({ description: "The program's terms, on https." }),
  imprint_url: z.string().nullable().meta({
    description: "The organization's imprint, on https, which each page of the portal links to.",
    example: "https://example.com/imprint",
  }),
  privacy_url: z.string().nullable().meta({
    description: "The organization's privacy policy, on https, which each page of the portal links to.",
    example: "https://example.com/privacy",
  }),
  support_email: email.nullable(),
  languages: z
    .array(z.enum(portalLanguages))
    .meta({ description: "At least one; the first is the default.", example: ["en", "de"] }),
});

export type PortalLook = z.infer<typeof portalLookSchema>;

/** The organization of an address of the portal, or of its host name: for everybody. */
export const publicLookSchema = z.object({
  organization_id: id,
  slug: z.string(),
  has_programs: z.boolean().meta({ description: "Whether it lists a campaign that everybody can join." }),
  look: portalLookSchema,
});

export type PublicLook = z.infer<typeof publicLookSchema>;

/**
 * `GET` with `?organization=<slug>`, or without it at an organization's host name. Answers with `PublicLook` in the
 * envelope of REST, without a session.
 */
export const PORTAL_LOOK_PATH = "/portal/look";

/** A picture with the first letter of the organization's name, for tabs: `GET` with the same query. */
export const PORTAL_ICON_PATH = "/portal/look/icon.svg";
