import { AsyncLocalStorage } from "node:async_hooks";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { EndedStatement, PoolObserver } from "@findersfee/database/postgres/observer";
import {
  errorType,
  type NewSpan,
  type OpenSpan,
  type SpanEnd,
  type SpanIds,
  type Tracer as SpanTracer,
} from "@findersfee/database/postgres/tracer";
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent, setGlobalErrorHandler } from "@opentelemetry/core";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { OtlpProtocol } from "./settings.ts";
import { SpanSender } from "./span-sender.ts";
import { summarize } from "./statements.ts";

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/** A collector that is away must not hold up the end of the process. */
const FLUSH_MILLISECONDS = 3_000;
/** Between two lines about a collector that is away. */
const LOG_MILLISECONDS = 60_000;

export interface TracingOptions {
  /** The name of the resource; `OTEL_SERVICE_NAME` has precedence. */
  service_name: string;
  version: string;
  protocol: OtlpProtocol;
  /** Called when spans could not be sent, once a minute at most. */
  onError: (error: unknown) => void;
}

/**
 * Records the spans of this process with OpenTelemetry, and sends them to a collector. The library reads its settings from the
 * environment: address, headers and time limit of the collector, sampler, the limits of the queue. Spans that the queue has no place
 * for are dropped.
 */
export class Tracing implements SpanTracer, PoolObserver {
  readonly #provider: BasicTracerProvider;
  readonly #sender: SpanSender;
  readonly #tracer: Tracer;
  readonly #scope = new AsyncLocalStorage<Context>();
  readonly #onError: (error: unknown) => void;

  constructor({ service_name, version, protocol, onError }: TracingOptions) {
    this.#onError = seldom(onError);
    setGlobalErrorHandler(this.#onError);
    this.#sender = new SpanSender(protocol);
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        "service.name": service_name,
        "service.version": version,
        "host.name": hostname(),
        "process.pid": process.pid,
      }).merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(this.#sender)],
    });
    this.#tracer = this.#provider.getTracer("findersfee", version);
  }

  /**
   * Sends the waiting spans, and gives up after 3 s; a request to the collector that is under way then ends
   * with its own time limit.
   */
  async close(): Promise<void> {
    const ended = this.#provider.shutdown().catch(this.#onError);
    await Promise.race([ended, delay(FLUSH_MILLISECONDS, undefined, { ref: false })]);
    this.#sender.giveUp();
  }

  traceparent(): string | null {
    const span = this.#current();
    return span?.isRecording() === true ? traceparentOf(span) : null;
  }

  ids(): SpanIds {
    const context = this.#current()?.spanContext();
    return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
  }

  open({ name, kind, parent, links: linked = [], attributes = {} }: NewSpan): OpenSpan {
    const caller = this.#scope.getStore() ?? ROOT_CONTEXT;
    const remote = parent == null ? null : parseTraceParent(parent);
    const context =
      remote === null ? caller : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
    // Work that another process caused belongs to the trace of its cause, and links the span that runs it
    // here.
    const caller_span = remote === null ? undefined : trace.getSpan(caller);
    const links: Link[] = caller_span === undefined ? [] : [{ context: caller_span.spanContext() }];
    for (const traceparent of linked) {
      const span_context = parseTraceParent(traceparent);
      if (span_context !== null) links.push({ context: { ...span_context, isRemote: true } });
    }
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes, links }, context);
    return new Opened(span, this.#scope);
  }

  capture(): <Result>(work: () => Result) => Result {
    const context = this.#scope.getStore() ?? ROOT_CONTEXT;
    return (work) => this.#scope.run(context, work);
  }

  opened(): void {}

  made(pool: string): (ended: EndedStatement) => void {
    const context = this.#scope.getStore();
    const parent = context === undefined ? undefined : trace.getSpan(context);
    // Polling has no span; and a timer that a request started may run on after it.
    if (context === undefined || parent?.isRecording() !== true) return ignore;
    return (ended) => this.#recordStatement(pool, context, ended);
  }

  #recordStatement(pool: string, context: Context, ended: EndedStatement): void {
    const { text, waited_milliseconds, duration_milliseconds, error } = ended;
    const now = Date.now();
    const summary = summarize(text);
    const span = this.#tracer.startSpan(
      summary,
      {
        kind: SpanKind.CLIENT,
        startTime: now - waited_milliseconds - duration_milliseconds,
        attributes: {
          "db.system.name": "postgresql",
          "db.query.summary": summary,
          "db.operation.name": ended.operation.toUpperCase(),
          "db.client.connection.pool.name": pool,
          "findersfee.pool.waited_milliseconds": waited_milliseconds,
        },
      },
      context,
    );
    if (error !== null) fail(span, errorType(error));
    span.end(now);
  }

  #current(): Span | undefined {
    const context = this.#scope.getStore();
    return context === undefined ? undefined : trace.getSpan(context);
  }
}

class Opened implements OpenSpan {
  readonly #span: Span;
  readonly #scope: AsyncLocalStorage<Context>;
  readonly #context: Context;
  #has_ended = false;

  constructor(span: Span, scope: AsyncLocalStorage<Context>) {
    this.#span = span;
    this.#scope = scope;
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
  }

  get trace_id(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string {
    return traceparentOf(this.#span);
  }

  run<Result>(work: () => Result): Result {
    return this.#scope.run(this.#context, work);
  }

  end({ attributes = {}, error_type = null }: SpanEnd = {}): void {
    if (this.#has_ended) return;
    this.#has_ended = true;
    this.#span.setAttributes(attributes);
    if (error_type !== null) fail(this.#span, error_type);
    this.#span.end();
  }
}

/** Without a message: Postgres's messages repeat values. */
function fail(span: Span, error_type: string): void {
  span.setAttribute("error.type", error_type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

function ignore(): void {}

function seldom(onError: (error: unknown) => void): (error: unknown) => void {
  let next = 0;
  return (error) => {
    if (performance.now() < next) return;
    next = performance.now() + LOG_MILLISECONDS;
    onError(error);
  };
}
