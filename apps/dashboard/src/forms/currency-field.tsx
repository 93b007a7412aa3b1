import { SelectField } from "@findersfee/ui/components/controls";

const CURRENCIES = Intl.supportedValuesOf("currency");

export interface CurrencyFieldProps {
  label: string;
  value: string;
  onChange: (currency: string) => void;
  error: string | undefined;
}

/** Chooses one of all currencies. */
export function CurrencyField({ label, value, onChange, error }: CurrencyFieldProps) {
  return (
    <SelectField
      label={label}
      name="currency"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={error}
    >
      {CURRENCIES.map((code) => (
        <option key={code}>{code}</option>
      ))}
    </SelectField>
  );
}
