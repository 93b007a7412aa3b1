import { Link } from "@findersfee/ui/navigation";
import { Fragment } from "react";
import { useSession } from "../session/session.tsx";

const MESSAGE = /^(stripe|generic) (\S{1,255})$/;

const NAMES: Record<string, string> = { stripe: "Stripe", generic: "Message" };
const OTHERS: readonly [RegExp, string][] = [
  [/^payout run /, "Payout run"],
  [/^user /, "A person"],
  [/^key /, "API key"],
  [/^operator$/, "Command line"],
];

/** The cause of a ledger entry; processors' messages are links. */
export function Cause({ cause }: { cause: string }) {
  const { home } = useSession();
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
