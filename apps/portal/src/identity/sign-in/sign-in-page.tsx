import { useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { CodeStep } from "./code-step.tsx";
import { EmailStep } from "./email-step.tsx";
import { type RequestedCode, readRequested, requestCode, storeRequested } from "./requested-code.ts";

/** Sign-in by a mailed code: first the email, then the code. A reload keeps the step. */
export function SignInPage() {
  const [requested, setRequested] = useState(readRequested);
  const show = (next: RequestedCode | null) => {
    storeRequested(next);
    setRequested(next);
  };
  const { sign_in } = useTexts();
  if (requested === null) return <EmailStep onSent={show} />;
  const { email } = requested;
  return (
    <CodeStep
      key={email}
      requested={requested}
      hint={sign_in.code_hint(email)}
      submit={sign_in.sign_in}
      other={sign_in.change_email}
      request={() => requestCode(email)}
      onSent={show}
      onOther={() => show(null)}
    />
  );
}
