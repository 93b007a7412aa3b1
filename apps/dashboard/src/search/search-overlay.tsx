import { useNavigation } from "@findersfee/ui/navigation";
import { PaletteOverlay } from "@findersfee/ui/overlays/lazy";
import type { PaletteContentProps } from "@findersfee/ui/overlays/palette";
import { useSession } from "../session/session.tsx";
import { PAGES } from "../shell/pages.ts";
import { texts } from "../shell/texts.ts";
import { setTheme, THEMES } from "../shell/theme.ts";
import { useSearch } from "./use-search.ts";

/** All pages and organizations by name, and the organization's records by any part of a text. */
export function SearchOverlay({ open, onClose }: PaletteContentProps) {
  const { me, home } = useSession();
  const { navigate } = useNavigation();
  const search = useSearch();
  const places = [
    ...PAGES.map(({ path, label, keys }) => ({ to: `${home}${path}`, label, keys })),
    { to: `${home}/get-started`, label: texts.get_started },
    { to: `${home}/payments/try`, label: texts.try_payment },
  ];
  return (
    <PaletteOverlay
      open={open}
      onClose={onClose}
      title={texts.search}
      search={search}
      commands={[
        ...places.map((place) => ({
          ...place,
          id: place.to,
          group: texts.pages,
          run: () => navigate(place.to),
        })),
        ...me.organizations.map(({ slug, name }) => ({
          id: `organization ${slug}`,
          group: texts.organizations,
          label: name,
          to: `/o/${slug}`,
          run: () => navigate(`/o/${slug}`),
        })),
        ...THEMES.map((theme) => ({
          id: theme,
          group: texts.appearance,
          label: texts.themes[theme],
          run: () => setTheme(theme),
        })),
      ]}
    />
  );
}
