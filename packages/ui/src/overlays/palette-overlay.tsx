import { Command } from "cmdk";
import { useTexts } from "../texts.tsx";
import { Dialog } from "./dialog.tsx";
import type { PaletteCommand } from "./items.ts";

export interface PaletteOverlayProps {
  open: boolean;
  onClose: () => void;
  title: string;
  commands: readonly PaletteCommand[];
}

/** All pages and actions, found by a few letters. */
export function PaletteOverlay({ open, onClose, title, commands }: PaletteOverlayProps) {
  const texts = useTexts();
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Command label={title} loop>
        <Command.Input
          placeholder={texts.search}
          className="mb-2 h-10 max-wide:h-11 w-full rounded-control border border-edge bg-page px-3 text-body focus-visible:-outline-offset-2"
        />
        <Command.List className="max-h-[min(360px,50dvh)] overflow-y-auto">
          <Command.Empty className="px-2 py-3 text-table text-muted">{texts.nothing_matches}</Command.Empty>
          {groups.map((group) => (
            <Command.Group
              key={group}
              heading={group}
              className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-muted"
            >
              {commands
                .filter((command) => command.group === group)
                .map(({ id, label, keys, run }) => (
                  <Command.Item
                    key={id}
                    value={`${group} ${label}`}
                    onSelect={() => {
                      onClose();
                      run();
                    }}
                    className="flex min-h-9 max-wide:min-h-11 items-center justify-between gap-3 rounded-control px-2 text-body data-[selected=true]:bg-hover"
                  >
                    <span dir="auto" className="min-w-0 truncate">
                      {label}
                    </span>
                    {keys !== undefined && <kbd className="font-mono text-meta text-muted">{keys}</kbd>}
                  </Command.Item>
                ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
