import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { getRouteApi } from "@tanstack/react-router";
import { EndpointFrame } from "./frame.tsx";
import type { Endpoint } from "./queries.ts";
import { SigningSecret } from "./secret.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/developers/webhooks/$endpoint/settings");

/** The settings of an endpoint. */
export function EndpointSettingsPage() {
  const { endpoint: id } = route.useParams();
  return (
    <EndpointFrame id={id} part="settings">
      {(endpoint) => (
        <div className="grid items-start gap-4 pt-4 pb-12 full:grid-cols-2">
          <Card title={texts.about}>
            <EndpointFacts endpoint={endpoint} />
          </Card>
          <SigningSecret endpoint={endpoint} />
        </div>
      )}
    </EndpointFrame>
  );
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { url, description, event_types, requests_per_second, ordered, campaign_ids, custom_headers } =
    endpoint;
  return (
    <Facts>
      <Fact label={texts.url}>
        <span className="flex min-w-0 items-start gap-1">
          <span dir="ltr" className="min-w-0 break-all">
            {url}
          </span>
          <CopyButton text={url} quiet />
        </span>
      </Fact>
      <Fact label={texts.description}>
        {description === "" ? <None /> : <Untrusted>{description}</Untrusted>}
      </Fact>
      <Fact label={texts.events}>
        {event_types === null ? (
          texts.all_events
        ) : (
          <ul>
            {event_types.map((type) => (
              <li key={type}>{type}</li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact label={texts.campaigns}>
        {campaign_ids === null ? texts.all_campaigns : texts.some_campaigns(campaign_ids.length)}
      </Fact>
      <Fact label={texts.order}>{ordered ? texts.orders.strict : texts.orders.free}</Fact>
      <Fact label={texts.limit}>
        {requests_per_second === null ? texts.no_limit : texts.per_second(requests_per_second)}
      </Fact>
      <Fact label={texts.headers}>
        {custom_headers.length === 0 ? <None /> : custom_headers.map(({ name }) => name).join(", ")}
      </Fact>
      <Fact label={texts.created}>
        <Time at={endpoint.created_at} />
      </Fact>
    </Facts>
  );
}

function None() {
  return <span className="text-muted">{texts.none}</span>;
}
