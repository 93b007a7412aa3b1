import { type ReactNode, useId } from "react";
import { useTexts } from "../texts.tsx";

/** The props that a control gets from its field. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
  required: boolean | undefined;
}

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The reason why the value was refused. */
  error?: string | undefined;
  required?: boolean;
  /** Said beside the label where most fields are required. */
  optional?: boolean;
  children: (control: ControlProps, label_id: string) => ReactNode;
}

/** A label, a control, a hint and an error, connected for screen readers. */
export function Field({ label, hint, error, required, optional, children }: FieldProps) {
  const id = useId();
  const hint_id = `${id}-hint`;
  const error_id = `${id}-error`;
  const described = [hint !== undefined && hint_id, error !== undefined && error_id].filter(Boolean);
  return (
    <div className="grid content-start gap-1.5">
      <label id={`${id}-label`} htmlFor={id} className="text-table font-medium">
        {label}
        {optional && <Optional />}
      </label>
      {children(
        {
          id,
          "aria-describedby": described.length === 0 ? undefined : described.join(" "),
          "aria-invalid": error === undefined ? undefined : true,
          required,
        },
        `${id}-label`,
      )}
      {error !== undefined && (
        <p id={error_id} className="text-table text-bad">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={hint_id} className="text-table text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Says beside a label that the field can stay empty. */
export function Optional() {
  const texts = useTexts();
  return <span className="font-normal text-muted"> ({texts.optional})</span>;
}

/** Fields in groups, each below a hairline. */
export function FieldGroup({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 border-line pb-8 not-last:border-b">
      <legend className="float-left w-full text-lead font-semibold tracking-[-0.012em]">
        {title}
        {hint !== undefined && <span className="block text-table font-normal text-muted">{hint}</span>}
      </legend>
      {children}
    </fieldset>
  );
}
