import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
}

interface Attribute {
  key: string;
  value: Value;
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
}

interface Sent {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

/** A span as a collector got it. */
export interface ReceivedSpan {
  service: string;
  trace_id: string;
  span_id: string;
  parent_id: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean | undefined>;
  links: string[];
  failed: boolean;
}

/** A collector that keeps the data that services send to it by OTLP over HTTP, in JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All bodies as text, to search for forbidden content. */
  text = "";
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const sent = (await json(request)) as Sent;
      this.text += JSON.stringify(sent);
      this.spans.push(...spansOf(sent));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace. */
  of(trace_id: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.trace_id === trace_id);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function spansOf({ resourceSpans }: Sent): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(span, resource.attributes))),
  );
}

function spanOf(span: SentSpan, resource: Attribute[]): ReceivedSpan {
  return {
    service: String(valuesOf(resource)["service.name"]),
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_id: span.parentSpanId ?? "",
    name: span.name,
    kind: span.kind,
    attributes: valuesOf(span.attributes),
    links: (span.links ?? []).map(({ spanId }) => spanId),
    failed: span.status.code === 2,
  };
}

function valuesOf(attributes: Attribute[]): ReceivedSpan["attributes"] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}
