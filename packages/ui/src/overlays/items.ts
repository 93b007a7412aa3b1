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
  keys?: string;
  run: () => void;
}
