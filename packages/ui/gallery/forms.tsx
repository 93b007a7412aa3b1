import { type FormEvent, useState } from "react";
import { Button } from "../src/components/button.tsx";
import { Checkbox, RadioField, SelectField, TextAreaField, TextField } from "../src/components/controls.tsx";
import { Field, FieldGroup } from "../src/components/field.tsx";
import { PasswordField } from "../src/components/password-field.tsx";
import { Combobox } from "../src/overlays/combobox.tsx";
import type { Option } from "../src/overlays/items.ts";
import { useToast } from "../src/overlays/toast.tsx";

const AFFILIATES: Option[] = Array.from({ length: 40 }, (_, index) => ({
  value: `a${index}`,
  label: `Affiliate ${index}`,
  detail: `a${index}@example.com`,
}));

export function Forms() {
  const toast = useToast();
  const [kind, setKind] = useState("percent");
  const [affiliate, setAffiliate] = useState<Option | null>(null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    toast({ text: "Saved" });
  };
  return (
    <form onSubmit={save} className="grid max-w-140 gap-6 pb-8">
      <FieldGroup title="Person" hint="As the program sees them.">
        <TextField label="Name" required defaultValue="Jane Doe" autoComplete="off" />
        <TextField
          label="Email"
          type="email"
          error="Another affiliate has this email."
          defaultValue="jane@"
        />
        <PasswordField label="Password" hint="At least 12 characters." autoComplete="new-password" />
        <TextAreaField label="Note" optional hint="Only your team sees it." />
      </FieldGroup>
      <FieldGroup title="Rate">
        <RadioField
          label="Pays"
          name="kind"
          chosen={kind}
          onChoose={setKind}
          choices={[
            { value: "percent", label: "A percentage", hint: "Of each payment without tax." },
            { value: "fixed", label: "A fixed amount" },
          ]}
        />
        <TextField label="Rate" inputMode="decimal" defaultValue="30" suffix="%" />
        <SelectField label="For" defaultValue="12">
          <option value="12">12 months</option>
          <option value="0">as long as the customer pays</option>
        </SelectField>
        <Field label="Affiliate" error="Choose one.">
          {(control, label_id) => (
            <Combobox
              control={control}
              label="Affiliate"
              labelled_by={label_id}
              options={AFFILIATES}
              chosen={affiliate}
              onChoose={setAffiliate}
              placeholder="Choose an affiliate"
            />
          )}
        </Field>
        <Checkbox label="Approve by hand" defaultChecked hint="Applications wait for you." />
        <Checkbox label="Hide customers' emails" />
        <TextField label="Currency" disabled defaultValue="USD" />
      </FieldGroup>
      <div className="flex justify-end gap-2">
        <Button>Discard</Button>
        <Button look="solid" type="submit">
          Save changes
        </Button>
      </div>
    </form>
  );
}
