import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { useMay } from "../../session/session.tsx";
import { EndpointFrame } from "../endpoints/frame.tsx";
import { PastReplays } from "./past-replays.tsx";

const route = getRouteApi("/o/$slug/developers/webhooks/$endpoint/replays");

/** Loaded for those who may start one. */
const NewReplay = lazyPart(() => import("./new-replay.tsx"), "NewReplay");

/** Sends failed events of a time again. */
export function ReplaysPage() {
  const { endpoint: id } = route.useParams();
  const may_start = useMay("admin");
  return (
    <EndpointFrame id={id} part="replays">
      {(endpoint) => (
        <div className="grid gap-4 pt-4 pb-12">
          {may_start && (
            <Suspense>
              <NewReplay endpoint={endpoint} />
            </Suspense>
          )}
          <PastReplays endpoint_id={id} />
        </div>
      )}
    </EndpointFrame>
  );
}
