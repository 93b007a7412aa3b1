import { useState } from "react";
import { CodeStep } from "./code-step.tsx";
import { EmailStep } from "./email-step.tsx";
import { type RequestedCode, readRequested, storeRequested } from "./requested-code.ts";

/** Sign-in by a mailed code: first the email, then the code. A reload keeps the step. */
export function SignInPage() {
  const [requested, setRequested] = useState(readRequested);
  const show = (next: RequestedCode | null) => {
    storeRequested(next);
    setRequested(next);
  };
  return requested === null ? (
    <EmailStep onSent={show} />
  ) : (
    <CodeStep key={requested.email} requested={requested} onSent={show} onOtherEmail={() => show(null)} />
  );
}
