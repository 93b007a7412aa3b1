import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../texts.tsx";
import { IconButton } from "./button.tsx";
import { controlClass, splitField, type TextFieldProps } from "./controls.tsx";
import { Field } from "./field.tsx";

/** A password that can be shown. */
export function PasswordField(props: TextFieldProps) {
  const { field, control } = splitField(props);
  const [shown, setShown] = useState(false);
  const texts = useTexts();
  return (
    <Field {...field}>
      {(attributes) => (
        <span className="relative block">
          <input
            {...control}
            {...attributes}
            type={shown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
            className={`${controlClass} pr-10 max-wide:pr-12`}
          />
          <IconButton
            label={shown ? texts.hide_password : texts.show_password}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0"
          >
            {shown ? <EyeOff aria-hidden size={16} /> : <Eye aria-hidden size={16} />}
          </IconButton>
        </span>
      )}
    </Field>
  );
}
