import { CirclePlus, Search, X } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "../components/button.tsx";
import { controlClass } from "../components/controls.tsx";
import type { MenuItem } from "../overlays/items.ts";
import { Menu } from "../overlays/menu.tsx";
import { useShortcuts } from "../shell/shortcuts.tsx";
import { useTexts } from "../texts.tsx";

/** The delay between the last keystroke and the search. */
const DEBOUNCE_MILLISECONDS = 250;

export interface FilterBarProps {
  /** The name of the search field, such as "Customer's email". */
  label: string;
  text: string;
  onText: (text: string) => void;
  children?: ReactNode;
}

/** A search field, which `/` focuses, with filters beside it. The URL stores the text and the filters. */
export function FilterBar({ label, text, onText, children }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  /** Texts of this field that the URL does not have yet. */
  const sent = useRef<string[]>([]);
  const send = () => {
    if (typed === text) return;
    sent.current.push(typed);
    onText(typed);
  };
  const sendRef = useRef(send);
  sendRef.current = send;
  // The URL also changes by "Clear" and by the browser's back button. A text of this field arrives there while more is typed.
  useEffect(() => {
    const index = sent.current.indexOf(text);
    sent.current = index === -1 ? [] : sent.current.slice(index + 1);
    if (index === -1) setTyped(text);
  }, [text]);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => sendRef.current(), DEBOUNCE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  useShortcuts([{ keys: "/", label, run: () => input.current?.select() }]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <search className="flex max-wide:w-full flex-wrap items-center gap-2 py-3">
      <form onSubmit={submit} className="relative w-66 max-wide:w-full">
        <Search aria-hidden size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
        <input
          ref={input}
          type="text"
          dir="auto"
          aria-label={label}
          placeholder={label}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          className={`${controlClass} pl-8`}
        />
      </form>
      {children}
    </search>
  );
}

export interface FilterValue {
  value: string;
  label: string;
  /** Values of the same group stand under its heading. */
  group?: string | undefined;
  /** At its end, for example a count. */
  detail?: string | undefined;
}

export interface FilterChipProps {
  /** For example "Status". */
  name: string;
  values: readonly FilterValue[];
  chosen: readonly string[];
  onChoose: (values: string[]) => void;
  /** Whether several values can be chosen. */
  several?: boolean;
}

/** A filter: "Status", or "Status: Held" with a button that clears it. */
export function FilterChip({ name, values, chosen, onChoose, several = false }: FilterChipProps) {
  const texts = useTexts();
  const active = values.filter(({ value }) => chosen.includes(value));
  const choose = (value: string, add: boolean) => {
    const others = several ? chosen.filter((other) => other !== value) : [];
    onChoose(add ? [...others, value] : others);
  };
  return (
    <span
      className={`inline-flex max-w-full items-center rounded-control border border-rule ${active.length === 0 ? "border-dashed" : ""}`}
    >
      <Menu
        look={active.length === 0 ? "quiet" : "chosen"}
        align="start"
        className="max-w-65"
        items={values.flatMap(({ value, label, group, detail }, index): MenuItem[] => [
          ...(group === undefined || group === values[index - 1]?.group
            ? []
            : [{ kind: "heading", id: `group ${group}`, label: group } as const]),
          {
            kind: "choice",
            id: value,
            label,
            detail,
            chosen: chosen.includes(value),
            stay: several,
            run: (add) => choose(value, add),
          },
        ])}
      >
        {active.length === 0 && <CirclePlus aria-hidden size={13} className="max-wide:hidden" />}
        <span className="truncate">
          {active.length === 0 ? name : `${name}: ${active.map(({ label }) => label).join(", ")}`}
        </span>
      </Menu>
      {active.length > 0 && (
        <IconButton label={`${texts.clear}: ${name}`} onClick={() => onChoose([])} className="-ml-2">
          <X aria-hidden size={14} />
        </IconButton>
      )}
    </span>
  );
}
