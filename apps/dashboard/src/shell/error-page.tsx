import { Button } from "@findersfee/ui/components/button";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useEffect } from "react";
import { texts } from "./texts.ts";

/**
 * Replaces a page that could not be shown. It needs little code, since the page's code may have failed to
 * load.
 */
export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { code, message, request_id } = failureOf(error);
  const is_ours = code === "unknown";
  const title = is_ours ? texts.crashed : message;
  useEffect(() => {
    document.title = `${title} · Findersfee`;
  }, [title]);
  const again = () => {
    // A page of a new build has other files.
    if (is_ours) window.location.reload();
    else reset();
  };
  return (
    <div role="alert" className="mx-auto grid min-h-[70dvh] max-w-120 content-center gap-3 px-4 text-center">
      <h1 className="text-lead font-medium">{title}</h1>
      {is_ours && <p className="text-muted">{texts.crashed_hint}</p>}
      {is_ours && <p className="line-clamp-3 font-mono text-meta text-muted">{message}</p>}
      {request_id !== undefined && <p className="font-mono text-meta text-muted">{request_id}</p>}
      <div>
        <Button look="solid" onClick={again}>
          {texts.reload}
        </Button>
      </div>
    </div>
  );
}
