import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Dialog } from "../overlays/dialog.tsx";
import { useTexts } from "../texts.tsx";

/** Milliseconds within which the second key of a pair follows. */
const PAIR_MILLISECONDS = 1500;

export interface Shortcut {
  /** A key as `KeyboardEvent.key` names it, or two with a space: `j`, `?`, `g o`. */
  keys: string;
  label: string;
  run: () => void;
}

/** The shortcuts of the mounted components; the last one added wins. */
class ShortcutRegistry {
  #shortcuts: readonly Shortcut[] = [];
  readonly #listeners = new Set<() => void>();

  readonly list = () => this.#shortcuts;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(added: readonly Shortcut[]): () => void {
    this.#set([...this.#shortcuts, ...added]);
    return () => this.#set(this.#shortcuts.filter((shortcut) => !added.includes(shortcut)));
  }

  #set(shortcuts: readonly Shortcut[]) {
    this.#shortcuts = shortcuts;
    for (const listener of this.#listeners) listener();
  }
}

const RegistryContext = createContext<ShortcutRegistry | null>(null);

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target.isContentEditable || target.matches("textarea, select, [role=menu] *, [cmdk-root] *");
}

/**
 * Runs shortcuts of single keys, except in text fields and while a dialog is open. `?` lists them. People who dictate need to be able
 * to turn them off (WCAG 2.1.4): `enabled`.
 */
export function ShortcutsProvider({ enabled, children }: { enabled: boolean; children: ReactNode }) {
  const [registry] = useState(() => new ShortcutRegistry());
  const [listed, setListed] = useState(false);
  const texts = useTexts();
  const pending = useRef({ key: "", at: 0 });

  useLayoutEffect(() => {
    if (!enabled) return undefined;
    const press = (event: KeyboardEvent) => {
      const modified = event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || modified || isTyping(event.target)) return;
      if (document.querySelector("dialog:modal") !== null) return;
      const key =
        event.shiftKey && event.key.length === 1 && event.key !== "?"
          ? `Shift+${event.key.toLowerCase()}`
          : event.key;
      const recent = event.timeStamp - pending.current.at < PAIR_MILLISECONDS;
      const pair = recent ? `${pending.current.key} ${key}` : "";
      pending.current = { key, at: event.timeStamp };
      const all = registry.list();
      const found = all.findLast(({ keys }) => keys === pair) ?? all.findLast(({ keys }) => keys === key);
      if (found !== undefined) {
        event.preventDefault();
        pending.current = { key: "", at: 0 };
        found.run();
      } else if (key === "?") {
        setListed(true);
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [enabled, registry]);

  return (
    <RegistryContext value={registry}>
      {children}
      <Dialog open={listed} onClose={() => setListed(false)} title={texts.keys}>
        <ShortcutList registry={registry} />
      </Dialog>
    </RegistryContext>
  );
}

function ShortcutList({ registry }: { registry: ShortcutRegistry }) {
  const shortcuts = useSyncExternalStore(registry.subscribe, registry.list);
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 text-table">
      {shortcuts.map(({ keys, label }) => (
        <div key={`${keys} ${label}`} className="contents">
          <dt>{label}</dt>
          <dd>
            <kbd className="rounded-control border border-rule bg-sunk px-1.5 py-0.5 font-mono text-meta">
              {keys}
            </kbd>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Adds shortcuts while the component is mounted. Their order and keys must not change; their functions may. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const registry = useContext(RegistryContext);
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map(({ keys, label }) => `${keys}\n${label}`).join("\n\n");
  const added = useMemo(
    () =>
      signature
        .split("\n\n")
        .filter((line) => line !== "")
        .map((line, index): Shortcut => {
          const [keys = "", label = ""] = line.split("\n");
          return { keys, label, run: () => latest.current[index]?.run() };
        }),
    [signature],
  );
  // Before the browser paints: a person who sees the page can use its keys.
  useLayoutEffect(() => registry?.add(added), [registry, added]);
}
