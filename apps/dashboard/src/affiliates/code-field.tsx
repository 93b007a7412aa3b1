import { TextField } from "@findersfee/ui/components/controls";
import { Link } from "@findersfee/ui/navigation";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useSession } from "../session/session.tsx";
import { texts } from "./form-texts.ts";
import { nameOf } from "./name.ts";

const DEBOUNCE_MILLISECONDS = 250;
const CODE = /^[A-Za-z0-9_-]{2,64}$/;

export interface CodeFieldProps {
  kind: "link" | "promo";
  name: string;
  label: string;
  hint: string;
  /** The affiliate, and the code that it has. */
  affiliate_id?: string;
  own?: string;
  error: string | undefined;
}

/** A code, and whether it is free, while one types. */
export function CodeField({ kind, name, label, hint, affiliate_id, own = "", error }: CodeFieldProps) {
  const { api, home, organization } = useSession();
  const [typed, setTyped] = useState(own);
  const [code, setCode] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setCode(typed.trim()), DEBOUNCE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [typed]);
  const is_own = code.toLowerCase() === own.toLowerCase();
  const { data } = useQuery({
    queryKey: [organization.id, "affiliates", "code", kind, code.toLowerCase(), affiliate_id],
    queryFn: ({ signal }) =>
      api.dashboard.affiliates.checkCode.query({ kind, code, affiliate_id }, { signal }),
    enabled: CODE.test(code) && !is_own,
    placeholderData: keepPreviousData,
  });
  const is_known = data !== undefined && CODE.test(code) && !is_own && typed.trim() === code;
  const found: ReactNode =
    !is_known || data.affiliate === null ? (
      hint
    ) : (
      <span className="text-bad">
        {texts.taken_by}{" "}
        <Link to={`${home}/affiliates/${data.affiliate.id}`} className="underline underline-offset-2">
          <bdi>{nameOf(data.affiliate)}</bdi>
        </Link>
      </span>
    );
  return (
    <TextField
      label={label}
      name={name}
      optional
      autoComplete="off"
      spellCheck={false}
      defaultValue={own}
      onChange={(event) => setTyped(event.target.value)}
      hint={<span aria-live="polite">{is_known && data.is_free ? <Free /> : found}</span>}
      error={error}
    />
  );
}

function Free() {
  return <span className="text-good">✓ {texts.free}</span>;
}
