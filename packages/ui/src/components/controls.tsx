import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { Field, type FieldProps } from "./field.tsx";

/** The classes of text fields, selects and comboboxes. */
export const controlClass =
  "h-8 max-wide:h-11 max-wide:text-lead w-full min-w-0 rounded-control border border-edge bg-page px-2.5 text-body text-ink aria-invalid:border-bad data-[invalid=true]:border-bad disabled:bg-sunk disabled:text-muted";

export type Labelled = Omit<FieldProps, "children">;

/** Divides the properties of a labelled control into those of its field and its own. */
export function splitField<Props extends Labelled>({
  label,
  hint,
  error,
  required,
  optional,
  ...control
}: Props): { field: Labelled; control: Omit<Props, keyof Labelled> } {
  const field: Labelled = { label, hint, error };
  if (required !== undefined) field.required = required;
  if (optional !== undefined) field.optional = optional;
  return { field, control };
}

export type TextFieldProps = Labelled &
  Omit<ComponentProps<"input">, "required"> & {
    /** Beside the value, for example a currency. */
    suffix?: ReactNode;
  };

export function TextField({ suffix, ...props }: TextFieldProps) {
  const { field, control } = splitField(props);
  return (
    <Field {...field}>
      {(attributes) => (
        <span className="flex items-center gap-2">
          <input
            type="text"
            dir="auto"
            {...control}
            {...attributes}
            className={`${controlClass} ${control.className ?? ""}`}
          />
          {suffix !== undefined && <span className="shrink-0 text-table text-muted">{suffix}</span>}
        </span>
      )}
    </Field>
  );
}

export function TextAreaField(props: Labelled & Omit<ComponentProps<"textarea">, "required">) {
  const { field, control } = splitField(props);
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          dir="auto"
          rows={3}
          {...control}
          {...attributes}
          className={`${controlClass} field-sizing-content h-auto max-h-80 min-h-20 py-1.5`}
        />
      )}
    </Field>
  );
}

export function SelectField(props: Labelled & Omit<ComponentProps<"select">, "required">) {
  const { field, control } = splitField(props);
  return (
    <Field {...field}>
      {(attributes) => (
        <span className="relative block min-w-0">
          <select {...control} {...attributes} className={`${controlClass} appearance-none truncate pr-8`} />
          <ChevronDown
            aria-hidden
            size={14}
            className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
          />
        </span>
      )}
    </Field>
  );
}

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: string;
  hint?: ReactNode;
}

/** A checkbox of 15 pixels that a click within 24 reaches. */
export function Checkbox({ label, hint, className = "", ...rest }: CheckboxProps) {
  const hint_id = useId();
  return (
    <div className={`grid gap-0.5 ${className}`}>
      <label className="flex min-h-6 max-wide:min-h-11 items-center gap-2.5">
        <input
          {...rest}
          type="checkbox"
          {...(hint === undefined ? {} : { "aria-describedby": hint_id })}
          className="size-[15px] shrink-0"
        />
        <span dir="auto">{label}</span>
      </label>
      {hint !== undefined && (
        <p id={hint_id} className="pl-[25px] text-table text-muted max-wide:-mt-2">
          {hint}
        </p>
      )}
    </div>
  );
}

export interface Choice {
  value: string;
  label: string;
  hint?: string;
}

export interface RadioFieldProps {
  label: string;
  name: string;
  choices: readonly Choice[];
  chosen: string;
  onChoose: (value: string) => void;
  error?: string;
}

/** One of a few choices, each with its consequence. */
export function RadioField({ label, name, choices, chosen, onChoose, error }: RadioFieldProps) {
  const id = useId();
  return (
    <fieldset
      className="grid gap-1.5 max-wide:gap-0"
      {...(error === undefined ? {} : { "aria-describedby": id })}
    >
      <legend className="mb-1.5 text-table font-medium max-wide:mb-0">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-6 max-wide:min-h-11 max-wide:py-3 items-start gap-2.5 text-body"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === chosen}
            onChange={() => onChoose(choice.value)}
            className="mt-[3px] size-[15px] shrink-0"
          />
          <span>
            {choice.label}
            {choice.hint !== undefined && <span className="block text-table text-muted">{choice.hint}</span>}
          </span>
        </label>
      ))}
      {error !== undefined && (
        <p id={id} className="text-table text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
