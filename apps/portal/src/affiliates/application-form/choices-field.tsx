import { Checkbox } from "@findersfee/ui/components/controls";
import { Optional } from "@findersfee/ui/components/field";
import { useId } from "react";

/** A question with several choices. */
export function ChoicesField({
  label,
  options,
  option_labels,
  chosen,
  onChange,
  error,
  optional,
}: {
  label: string;
  options: readonly string[];
  /** The words of each option. */
  option_labels: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error: string | undefined;
  optional: boolean;
}) {
  const id = useId();
  return (
    <fieldset
      className="min-w-0"
      {...(error === undefined ? {} : { "aria-describedby": id, "data-invalid": true })}
    >
      <legend dir="auto" className="mb-0.5 text-table font-medium">
        {label}
        {optional && <Optional />}
      </legend>
      {options.map((option, index) => (
        <Checkbox
          key={option}
          label={option_labels[index] ?? option}
          checked={chosen.includes(option)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, option] : chosen.filter((other) => other !== option))
          }
        />
      ))}
      {error !== undefined && (
        <p id={id} className="text-table text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
