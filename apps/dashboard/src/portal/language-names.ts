import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";

/** The languages of the portal. */
export const language_names: Readonly<Record<PortalLanguage, string>> = { en: "English", de: "German" };
