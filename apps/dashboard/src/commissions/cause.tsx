import { Link } from "@findersfee/ui/navigation";
import { Fragment } from "react";
import { useSession } from "../session/session.tsx";

const MESSAGE = /^(stripe|generic) (\S{1,255})$/;

/** What caused a ledger entry; processors' messages are links. */
export function Cause({ cause }: { cause: string }) {
  const { home } = useSession();
  return cause.split(", ").map((part, index) => {
    const [, processor, id] = MESSAGE.exec(part) ?? [];
    return (
      <Fragment key={part}>
        {index > 0 && ", "}
        {processor === undefined || id === undefined ? (
          part
        ) : (
          <Link
            to={`${home}/connections/messages/${processor}/${encodeURIComponent(id)}`}
            className="hover:text-ink hover:underline"
          >
            {part}
          </Link>
        )}
      </Fragment>
    );
  });
}
