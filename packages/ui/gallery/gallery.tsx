import { ChartLine, Inbox, List as ListIcon, MousePointerClick, SquarePen, SquareStack } from "lucide-react";
import { useNavigation } from "../src/navigation.tsx";
import { PaletteOverlay } from "../src/overlays/lazy.tsx";
import { Menu } from "../src/overlays/menu.tsx";
import { Palette, type PaletteContentProps } from "../src/overlays/palette.tsx";
import { Page, PageTabs } from "../src/shell/page.tsx";
import { Shell } from "../src/shell/shell.tsx";
import { useShortcuts } from "../src/shell/shortcuts.tsx";
import { Buttons } from "./buttons.tsx";
import { Charts } from "./charts.tsx";
import { Forms } from "./forms.tsx";
import { Lists } from "./lists.tsx";
import { Overlays } from "./overlays.tsx";
import { States } from "./states.tsx";

const PAGES = [
  { to: "/buttons", label: "Buttons and values", icon: MousePointerClick, content: Buttons },
  { to: "/forms", label: "Forms", icon: SquarePen, content: Forms },
  { to: "/lists", label: "Lists", icon: ListIcon, content: Lists },
  { to: "/overlays", label: "Overlays", icon: SquareStack, content: Overlays },
  { to: "/states", label: "States", icon: Inbox, content: States },
  { to: "/charts", label: "Charts", icon: ChartLine, content: Charts },
];

export interface GalleryProps {
  address: string;
  shortcuts: boolean;
  onShortcuts: (enabled: boolean) => void;
}

/** Every component in every state. */
export function Gallery({ address, shortcuts, onShortcuts }: GalleryProps) {
  const { navigate } = useNavigation();
  const path = address.split("?")[0] ?? "";
  const page = PAGES.find(({ to }) => to === path) ?? PAGES[0];
  useShortcuts(
    PAGES.map(({ to, label }, index) => ({ keys: `g ${index + 1}`, label, run: () => navigate(to) })),
  );
  if (page === undefined) return null;
  const Content = page.content;
  const pages = PAGES.map(({ to, label, icon }) => ({
    to,
    label,
    icon,
    current: to === page.to,
    first: ["/lists", "/forms", "/charts"].includes(to),
    ...(to === "/states" ? { count: 12 } : {}),
  }));
  return (
    <Shell
      head={<p className="truncate px-2 font-semibold not-full:sr-only">Gallery</p>}
      foot={
        <Menu
          look="quiet"
          align="start"
          shape="row"
          items={[
            {
              kind: "choice",
              id: "shortcuts",
              label: "Shortcuts of single keys",
              chosen: shortcuts,
              run: onShortcuts,
            },
            { kind: "line", id: "line" },
            { kind: "action", id: "out", label: "Sign out", run: () => navigate("/buttons") },
          ]}
        >
          <span className="truncate">Ann</span>
        </Menu>
      }
      sections={[
        { heading: null, items: pages.slice(0, 2) },
        { heading: "Data", items: pages.slice(2) },
      ]}
    >
      <Page
        key={page.to}
        title={page.label}
        document_title={`${page.label} · Gallery`}
        tabs={
          <PageTabs
            label="Parts"
            tabs={[
              { to: page.to, label: "All", current: true, count: PAGES.length },
              { to: "/", label: "None", current: false },
            ]}
          />
        }
      >
        <Content />
      </Page>
      <Palette Content={Places} />
    </Shell>
  );
}

function Places(props: PaletteContentProps) {
  const { navigate } = useNavigation();
  return (
    <PaletteOverlay
      {...props}
      title="Go to"
      commands={PAGES.map(({ to, label }, index) => ({
        id: to,
        group: "Pages",
        label,
        keys: `g ${index + 1}`,
        run: () => navigate(to),
      }))}
    />
  );
}
