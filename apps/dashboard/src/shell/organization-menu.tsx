import type { MenuItem } from "@findersfee/ui/overlays/items";
import { Menu } from "@findersfee/ui/overlays/menu";
import { ChevronsUpDown } from "lucide-react";
import { useSession } from "../session/session.tsx";
import { Avatar } from "./avatar.tsx";
import { texts } from "./texts.ts";

/** Switches to another of the person's organizations. */
export function OrganizationMenu() {
  const { me, organization } = useSession();
  const items: MenuItem[] = [
    { kind: "heading", id: "heading", label: texts.organizations },
    ...me.organizations.map(
      (one): MenuItem => ({
        kind: "link",
        id: one.id,
        label: one.name,
        to: `/o/${one.slug}`,
      }),
    ),
    { kind: "line", id: "line" },
    { kind: "link", id: "all", label: texts.all_organizations, to: "/organizations" },
  ];
  return (
    <Menu look="quiet" shape="row" align="start" items={items} className="justify-start">
      <Avatar name={organization.name} />
      <span
        dir="auto"
        className="min-w-0 flex-1 truncate text-left font-semibold text-ink not-full:sr-only max-wide:not-sr-only"
      >
        <span className="sr-only">{texts.switch_organization}: </span>
        {organization.name}
      </span>
      <ChevronsUpDown aria-hidden size={14} className="shrink-0 not-full:hidden" />
    </Menu>
  );
}
