import { ChevronsUpDown } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { controlClass } from "../components/controls.tsx";
import type { ControlProps } from "../components/field.tsx";
import type { Option } from "./items.ts";
import { ComboboxOverlay, preloadOverlays } from "./lazy.tsx";

export interface ComboboxProps {
  control: ControlProps;
  label: string;
  /** Its id, as of its field's label. */
  labelled_by: string;
  options: readonly Option[];
  chosen: Option | null;
  onChoose: (option: Option) => void;
  placeholder: string;
  onSearch?: (text: string) => void;
  loading?: boolean;
  /** Whether it is open from the beginning: the first choice of a dialog takes a click less. */
  starts_open?: boolean;
}

/** One of many options, searched here or by the server. */
export function Combobox({
  control,
  labelled_by,
  label,
  chosen,
  placeholder,
  starts_open = false,
  ...rest
}: ComboboxProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState(starts_open);
  const [open, setOpen] = useState(starts_open);
  const value_id = `${control.id}-value`;
  const want = () => {
    preloadOverlays();
    setWanted(true);
  };
  const { required, "aria-invalid": invalid, ...attributes } = control;
  return (
    <span className="relative block">
      <button
        {...attributes}
        ref={button}
        type="button"
        aria-labelledby={`${labelled_by} ${value_id}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-invalid={invalid}
        data-required={required}
        onPointerEnter={want}
        onFocus={want}
        onClick={() => {
          want();
          setOpen(!open);
        }}
        className={`${controlClass} flex items-center justify-between gap-2 text-left`}
      >
        <span id={value_id} dir="auto" className={`truncate ${chosen === null ? "text-muted" : ""}`}>
          {chosen?.label ?? placeholder}
        </span>
        <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-muted" />
      </button>
      {wanted && (
        <Suspense>
          <ComboboxOverlay
            {...rest}
            label={label}
            chosen={chosen?.value ?? null}
            open={open}
            onOpenChange={setOpen}
            trigger={button}
            onChoose={(option) => {
              rest.onChoose(option);
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </span>
  );
}
