import * as DropdownMenu from "@radix-ui/react-dropdown-menu";
import { Check } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { useNavigation } from "../navigation.tsx";
import type { MenuItem } from "./items.ts";
import { useLayers } from "./layers.tsx";

export interface MenuOverlayProps {
  open: boolean;
  /** Whether the keyboard opened the menu, so that its first item gets the focus. */
  by_keyboard: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: RefObject<HTMLButtonElement | null>;
  /** The trigger's id, which names the menu. */
  labelled_by: string;
  items: readonly MenuItem[];
  align?: "start" | "end";
}

const FIRST = "[role^=menuitem]:not([data-disabled])";
const ITEM =
  "flex min-h-8 max-wide:min-h-11 items-center gap-2 rounded-control px-2 text-table -outline-offset-2 select-none data-disabled:text-muted data-highlighted:bg-hover";

/**
 * The opened menu. It is not modal, because a modal menu injects a style element to lock scrolling, which the content security
 * policy rejects. It is mounted closed and then opened: otherwise, Radix does not focus its content.
 */
export function MenuOverlay(props: MenuOverlayProps) {
  const { open, by_keyboard, onOpenChange, trigger, labelled_by, items, align } = props;
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const { top } = useLayers();
  return (
    <DropdownMenu.Root modal={false} open={open && mounted} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden tabIndex={-1} className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={top ?? document.body}>
        <DropdownMenu.Content
          aria-labelledby={labelled_by}
          align={align ?? "end"}
          sideOffset={4}
          collisionPadding={8}
          loop
          onFocus={({ target, currentTarget }) => {
            // The root misses keys that were pressed before its code had loaded.
            if (by_keyboard && target === currentTarget)
              currentTarget.querySelector<HTMLElement>(FIRST)?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus();
          }}
          // Links navigate when they are selected. An item ignores a click that is prevented before it gets here.
          onClick={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            const { target } = event.detail.originalEvent;
            if (target instanceof Node && trigger.current?.contains(target)) event.preventDefault();
          }}
          className="overlay-motion z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-45 max-w-80 overflow-y-auto rounded-card border border-rule bg-raised p-1 text-ink shadow-overlay"
        >
          {items.map((item) => (
            <MenuRow key={item.id} item={item} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function MenuRow({ item }: { item: MenuItem }) {
  const { navigate, hrefOf } = useNavigation();
  switch (item.kind) {
    case "line":
      return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
    case "heading":
      return <DropdownMenu.Label className="px-2 py-1 text-meta text-muted">{item.label}</DropdownMenu.Label>;
    case "choice":
      return (
        <DropdownMenu.CheckboxItem
          checked={item.chosen}
          onCheckedChange={item.run}
          onSelect={(event) => item.stay && event.preventDefault()}
          className={ITEM}
        >
          <span className="w-4">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden size={14} />
            </DropdownMenu.ItemIndicator>
          </span>
          <span dir="auto" className="min-w-0 flex-1">
            {item.label}
          </span>
          {item.detail !== undefined && (
            <span className="text-meta text-muted tabular-nums">{item.detail}</span>
          )}
        </DropdownMenu.CheckboxItem>
      );
    case "link":
      return (
        <DropdownMenu.Item asChild className={ITEM} onSelect={() => navigate(item.to)}>
          <a href={hrefOf(item.to)}>{item.label}</a>
        </DropdownMenu.Item>
      );
    case "action":
      return (
        <DropdownMenu.Item
          disabled={item.disabled ?? false}
          onSelect={item.run}
          className={`${ITEM} ${item.danger ? "text-bad" : ""}`}
        >
          <span dir="auto" className="min-w-0 flex-1">
            {item.label}
          </span>
          {item.keys !== undefined && <kbd className="font-mono text-meta text-muted">{item.keys}</kbd>}
        </DropdownMenu.Item>
      );
  }
}
