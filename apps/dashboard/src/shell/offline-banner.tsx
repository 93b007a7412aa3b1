import { Notice } from "@findersfee/ui/components/notice";
import { useOnline } from "@findersfee/ui/requests/use-online";
import { useRouterState } from "@tanstack/react-router";
import { texts } from "./texts.ts";

export function OfflineBanner() {
  const is_online = useOnline();
  const is_waiting = useRouterState({ select: ({ status }) => status === "pending" });
  return (
    <div role="status">
      {!is_online && (
        <div className="px-8 pt-4 max-full:px-6 max-wide:px-4">
          <Notice tone="warn" title={is_waiting ? texts.offline_waiting : texts.offline} />
        </div>
      )}
    </div>
  );
}
