import { Command } from "cmdk";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useNavigation } from "../navigation.tsx";
import { useTexts } from "../texts.tsx";
import { Dialog } from "./dialog.tsx";
import type { PaletteCommand, PaletteSearch } from "./items.ts";
import { matchingCommands } from "./matching-commands.ts";

export interface PaletteOverlayProps {
  open: boolean;
  onClose: () => void;
  title: string;
  commands: readonly PaletteCommand[];
  search?: PaletteSearch | undefined;
}

/** All pages and actions, found by a few letters, and the server's results. */
export function PaletteOverlay({ open, onClose, title, ...content }: PaletteOverlayProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      shape={content.search === undefined ? "middle" : "wide"}
    >
      <Content {...content} title={title} onClose={onClose} />
    </Dialog>
  );
}

function Content({ title, commands, search, onClose }: Omit<PaletteOverlayProps, "open">) {
  const texts = useTexts();
  const { hrefOf } = useNavigation();
  const [typed, setTyped] = useState("");
  const onText = useRef(search?.onText);
  onText.current = search?.onText;
  useEffect(() => () => onText.current?.(""), []);
  const found = search?.found ?? [];
  const shown = [...matchingCommands(commands, typed), ...found];
  const is_searching = search?.state === "searching";
  const run = (command: PaletteCommand) => {
    onClose();
    command.run();
  };
  // The matches of the text before stay visible, but nothing takes them.
  const takeable = is_searching ? shown.filter((command) => !found.includes(command)) : shown;
  const { marked, setMarked } = useMarked(takeable);
  const wait = useEnter({ typed, first: is_searching ? undefined : takeable[0], run });
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    if (marked === "") wait();
    const to = takeable.find(({ id }) => id === marked)?.to;
    if (to === undefined || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onClose();
    window.open(hrefOf(to), "_blank", "noopener");
  };
  return (
    <Command
      label={title}
      loop
      shouldFilter={false}
      value={marked}
      onValueChange={setMarked}
      onKeyDown={press}
    >
      <Command.Input
        placeholder={search?.placeholder ?? texts.search}
        maxLength={200}
        value={typed}
        onValueChange={(text) => {
          setTyped(text);
          setMarked("");
          search?.onText(text);
        }}
        className="mb-2 h-10 max-wide:h-11 w-full rounded-control border border-edge bg-page px-3 text-body focus-visible:-outline-offset-2"
      />
      {/* Of one height while the matches come and go: otherwise, the field would move. */}
      <div
        className={`${search === undefined ? "max-h-[min(360px,50dvh)]" : "h-[min(420px,50dvh)]"} overflow-y-auto`}
      >
        <p role="status" className="px-2 text-table text-muted">
          <span className={shown.length === 0 ? "block py-3" : "sr-only"}>
            {statusOf({ search, count: shown.length, texts })}
          </span>
        </p>
        <Command.List aria-busy={is_searching}>
          <Commands shown={shown} takeable={takeable} run={run} />
        </Command.List>
      </div>
    </Command>
  );
}

function statusOf({
  search,
  count,
  texts,
}: {
  search: PaletteSearch | undefined;
  count: number;
  texts: ReturnType<typeof useTexts>;
}): string {
  if (search?.state === "searching") return texts.loading;
  if (search?.state === "failed") return search.failure;
  return count === 0 ? texts.nothing_matches : "";
}

/** The command that Enter takes: the first one, until the arrow keys move it. */
function useMarked(takeable: readonly PaletteCommand[]) {
  const [chosen, setMarked] = useState("");
  const is_there = takeable.some(({ id }) => id === chosen);
  return { marked: is_there ? chosen : (takeable[0]?.id ?? ""), setMarked };
}

/** Enter before the server has answered takes the first match as soon as there is one, unless the text has changed. */
function useEnter({
  typed,
  first,
  run,
}: {
  typed: string;
  first: PaletteCommand | undefined;
  run: (command: PaletteCommand) => void;
}): () => void {
  const waiting = useRef<string | null>(null);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (first === undefined || waiting.current !== typed) return;
    waiting.current = null;
    latest.current(first);
  }, [first, typed]);
  return () => {
    waiting.current = typed;
  };
}

function Commands({
  shown,
  takeable,
  run,
}: {
  shown: readonly PaletteCommand[];
  takeable: readonly PaletteCommand[];
  run: (command: PaletteCommand) => void;
}) {
  const groups = [...new Set(shown.map(({ group }) => group))];
  return groups.map((group) => (
    <Command.Group
      key={group}
      heading={group}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-muted"
    >
      {shown
        .filter((command) => command.group === group)
        .map((command) => (
          <CommandItem
            key={command.id}
            command={command}
            is_takeable={takeable.includes(command)}
            run={run}
          />
        ))}
    </Command.Group>
  ));
}

function CommandItem({
  command,
  is_takeable,
  run,
}: {
  command: PaletteCommand;
  is_takeable: boolean;
  run: (command: PaletteCommand) => void;
}) {
  const { id, label, detail, end, keys } = command;
  return (
    <Command.Item
      value={id}
      disabled={!is_takeable}
      onSelect={() => run(command)}
      className="flex min-h-9 max-wide:min-h-11 items-center justify-between gap-3 rounded-control px-2 text-body -outline-offset-1 outline-edge data-[selected=true]:bg-hover data-[selected=true]:outline-1"
    >
      <span className="flex min-w-0 flex-1 items-baseline gap-x-2 max-wide:flex-col">
        <span dir="auto" className="max-w-full min-w-0 truncate">
          {label}
        </span>
        {detail !== undefined && (
          <span dir="auto" className="max-w-full min-w-0 truncate text-table text-muted">
            {detail}
          </span>
        )}
      </span>
      {end !== undefined && <span className="shrink-0 text-table text-muted tabular-nums">{end}</span>}
      {keys !== undefined && <kbd className="font-mono text-meta text-muted">{keys}</kbd>}
    </Command.Item>
  );
}
