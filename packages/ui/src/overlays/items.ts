/* The rows of menus, comboboxes and the palette. */

export type MenuItem =
  | {
      kind: "action";
      id: string;
      label: string;
      run: () => void;
      danger?: boolean;
      disabled?: boolean;
      keys?: string;
    }
  | { kind: "link"; id: string; label: string; to: string }
  | {
      kind: "choice";
      id: string;
      label: string;
      /** At its end, for example a count. */
      detail?: string | undefined;
      chosen: boolean;
      run: (chosen: boolean) => void;
      /** The menu stays open, for several choices. */
      stay?: boolean;
    }
  | { kind: "heading"; id: string; label: string }
  | { kind: "line"; id: string };

export interface Option {
  value: string;
  label: string;
  /** For example an email beside a name. */
  detail?: string;
}

export interface PaletteCommand {
  id: string;
  /** Its heading. */
  group: string;
  label: string;
  /** Beside the label, for example an email. */
  detail?: string | undefined;
  /** At its end, for example an amount. */
  end?: string | undefined;
  keys?: string;
  /** Its page, which Ctrl+Enter opens in a new tab. */
  to?: string;
  run: () => void;
}

/** The server's results for the palette's text. */
export interface PaletteSearch {
  placeholder: string;
  /** Called with each text that is typed, and with an empty one when the palette closes. */
  onText: (text: string) => void;
  /** Searching: `found` may belong to the text before. */
  state: "idle" | "searching" | "done" | "failed";
  found: readonly PaletteCommand[];
  /** Why it failed. */
  failure: string;
}
