import type { ByLanguage, Translation } from "@findersfee/contract/campaigns/translations";
import { portalLanguages } from "@findersfee/contract/portal/join-paths";

/** The translations of some texts of a campaign. */
export function pickTranslations<Name extends keyof Translation>(
  translations: ByLanguage<Translation>,
  names: readonly Name[],
): ByLanguage<Pick<Translation, Name>> {
  const picked = portalLanguages.flatMap((language) => {
    const translation = translations[language];
    if (translation === undefined || translation === null) return [];
    return [[language, Object.fromEntries(names.map((name) => [name, translation[name]]))] as const];
  });
  return Object.fromEntries(picked) as ByLanguage<Pick<Translation, Name>>;
}
