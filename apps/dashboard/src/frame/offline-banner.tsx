import { Notice } from "@findersfee/ui/components/notice";
import { useSyncExternalStore } from "react";
import { texts } from "./texts.ts";

function watchConnection(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}

export function OfflineBanner() {
  const is_online = useSyncExternalStore(watchConnection, () => navigator.onLine);
  return (
    <div role="status">
      {!is_online && (
        <div className="px-8 pt-4 max-full:px-6 max-wide:px-4">
          <Notice tone="warn" title={texts.offline} />
        </div>
      )}
    </div>
  );
}
