import { Link } from "@findersfee/ui/navigation";
import { Fragment } from "react";
import { useSession } from "../session/session.tsx";

const MESSAGE = /^(stripe|generic) (\S{1,255})$/;

const NAMES: Record<string, string> = { stripe: "Stripe", generic: "Message" };
const API_KEY = "API key";
const OTHERS: readonly [RegExp, string][] = [
  [/^payout run /, "Payout run"],
  [/^user /, "A former member"],
  [/^key /, API_KEY],
  [/^operator$/, "Command line"],
];

/** The cause of a ledger entry: the name of the person or key; processors' messages are links. */
export function Cause({ cause, name }: { cause: string; name: string | null }) {
  const { home } = useSession();
  if (name !== null) {
    return (
      <>
        {cause.startsWith("key ") && `${API_KEY} `}
        <bdi>{name}</bdi>
      </>
    );
  }
  return cause.split(", ").map((part, index) => {
    const [, processor, id] = MESSAGE.exec(part) ?? [];
    return (
      <Fragment key={part}>
        {index > 0 && ", "}
        {processor === undefined || id === undefined ? (
          <span title={part}>{OTHERS.find(([pattern]) => pattern.test(part))?.[1] ?? part}</span>
        ) : (
          <Link
            to={`${home}/connections/messages/${processor}/${encodeURIComponent(id)}`}
            className="hover:text-ink hover:underline"
          >
            {NAMES[processor]} {id}
          </Link>
        )}
      </Fragment>
    );
  });
}
