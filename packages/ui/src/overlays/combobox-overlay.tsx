import * as Popover from "@radix-ui/react-popover";
import { Command } from "cmdk";
import { Check } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { useTexts } from "../texts.tsx";
import type { Option } from "./items.ts";
import { useLayers } from "./layers.tsx";

export interface ComboboxOverlayProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: RefObject<HTMLButtonElement | null>;
  label: string;
  options: readonly Option[];
  chosen: string | null;
  onChoose: (option: Option) => void;
  /** Searches on the server for the typed text. Without it, the combobox filters its options. */
  onSearch?: (text: string) => void;
  loading?: boolean;
}

/** A search field above a list, below the trigger. */
export function ComboboxOverlay({
  open,
  onOpenChange,
  trigger,
  label,
  options,
  chosen,
  onChoose,
  onSearch,
  loading,
}: ComboboxOverlayProps) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const texts = useTexts();
  const { top } = useLayers();
  const marked = useMarked(options, { loading, searches: onSearch !== undefined });
  return (
    <Popover.Root open={open && mounted} onOpenChange={onOpenChange}>
      <Popover.Anchor asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </Popover.Anchor>
      <Popover.Portal container={top ?? document.body}>
        <Popover.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus();
          }}
          onInteractOutside={(event) => {
            const { target } = event.detail.originalEvent;
            if (target instanceof Node && trigger.current?.contains(target)) event.preventDefault();
          }}
          className="overlay-motion z-50 w-(--radix-popover-trigger-width) min-w-65 rounded-card border border-rule bg-raised text-ink shadow-overlay outline-none"
        >
          <Command label={label} shouldFilter={onSearch === undefined} loop {...marked}>
            <Command.Input
              placeholder={texts.search}
              {...(onSearch === undefined ? {} : { onValueChange: onSearch })}
              className="h-9 max-wide:h-11 w-full border-b border-line bg-transparent px-3 text-table outline-none"
            />
            <Command.List aria-busy={loading} className="max-h-65 overflow-y-auto p-1">
              <Command.Empty className="px-2 py-3 text-table text-muted">
                {loading ? texts.loading : texts.nothing_matches}
              </Command.Empty>
              {options.map((option) => (
                <OptionItem
                  key={option.value}
                  option={option}
                  is_chosen={option.value === chosen}
                  onChoose={onChoose}
                />
              ))}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/**
 * The option that Enter takes: the first match, until the arrow keys move it. While the server searches there is none, as the
 * options are those of the text before.
 */
function useMarked(
  options: readonly Option[],
  { loading = false, searches }: { loading: boolean | undefined; searches: boolean },
) {
  const [marked, setMarked] = useState("");
  const values = options.map(({ value }) => value);
  if (!searches) return {};
  const is_there = values.some((value) => value === marked);
  return {
    value: loading ? "" : is_there ? marked : (values[0] ?? ""),
    onValueChange: (value: string) => setMarked(loading ? "" : value),
  };
}

interface OptionItemProps {
  option: Option;
  is_chosen: boolean;
  onChoose: (option: Option) => void;
}

function OptionItem({ option, is_chosen, onChoose }: OptionItemProps) {
  return (
    <Command.Item
      value={option.value}
      keywords={[option.label]}
      onSelect={() => onChoose(option)}
      className="flex min-h-8 max-wide:min-h-11 items-center gap-2 rounded-control px-2 text-table -outline-offset-1 outline-edge data-[selected=true]:bg-hover data-[selected=true]:outline-1"
    >
      <span className="w-4 shrink-0">{is_chosen && <Check aria-hidden size={14} />}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {option.label}
      </span>
      {option.detail !== undefined && (
        <span dir="auto" className="truncate text-meta text-muted">
          {option.detail}
        </span>
      )}
    </Command.Item>
  );
}
