/**
 * The attributes of a span, by OpenTelemetry's semantic conventions. Never personal data, and no values of
 * parameters.
 */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface NewSpan {
  name: string;
  kind: "internal" | "server" | "client" | "consumer";
  /** The header `traceparent` of the work that caused it; absent: the caller's span, if there is one. */
  parent?: string | null | undefined;
  /** Other work that it does something for, as their headers `traceparent`. */
  links?: readonly string[];
  attributes?: SpanAttributes;
}

/** The attributes of a span at its end. */
export interface SpanEnd {
  attributes?: SpanAttributes;
  /** What kind of failure, such as a code; absent: it did not fail. */
  error_type?: string | null | undefined;
}

/** A span under way. */
export interface OpenSpan {
  readonly trace_id: string;
  /** The header `traceparent` for work in other processes that this span causes. */
  readonly traceparent: string;
  /** Runs `work` within the span. */
  run<Result>(work: () => Result): Result;
  end(end?: SpanEnd): void;
}

export interface SpanIds {
  trace_id?: string;
  span_id?: string;
}

/** Records spans. Its methods must not throw. */
export interface Tracer {
  /** The caller's span, as the header `traceparent`; null: none, or it is not sampled. */
  traceparent(): string | null;
  /** The ids of the caller's span for a log line; empty: there is none. */
  ids(): SpanIds;
  open(span: NewSpan): OpenSpan;
  /** Runs work later in the caller's span. */
  capture(): RunWithin;
}

type RunWithin = <Result>(work: () => Result) => Result;

let tracer: Tracer | null = null;

/** Records the spans of this process from now on; null: records none, which is how it starts. */
export function useTracer(used: Tracer | null): void {
  tracer = used;
}

/** Whether spans are recorded. */
export function isTracing(): boolean {
  return tracer !== null;
}

/** The caller's span for work that it leaves to others, as the header `traceparent`; null: nothing is to be recorded of it. */
export function currentTraceparent(): string | null {
  return tracer === null ? null : tracer.traceparent();
}

/** The payload of a job with the caller's span, for `causeOf`. */
export function withCause<Payload extends object>(payload: Payload): Payload {
  const traceparent = currentTraceparent();
  return traceparent === null ? payload : { ...payload, traceparent };
}

/** The span that left a job to others, as the header `traceparent`; null: nothing is to be recorded of it. */
export function causeOf(payload: unknown): string | null {
  if (typeof payload !== "object" || payload === null || !("traceparent" in payload)) return null;
  return typeof payload.traceparent === "string" ? payload.traceparent : null;
}

/**
 * Makes a span that does several pieces of work at once part of the trace of their cause, as far as that is recorded. With several causes
 * it stays in the caller's trace, and links them.
 */
export function causedBy(causes: readonly (string | null)[]): Pick<NewSpan, "parent" | "links"> {
  const recorded = [...new Set(causes)].filter((cause) => cause !== null);
  return recorded.length > 1 ? { links: recorded } : { parent: recorded[0] };
}

/** The ids of the caller's span for a log line; empty: there is none. */
export function spanIds(): SpanIds {
  return tracer === null ? {} : tracer.ids();
}

/** Opens a span, which the caller must end; null: spans are not recorded. */
export function openSpan(span: NewSpan): OpenSpan | null {
  return tracer === null ? null : tracer.open(span);
}

/** Runs work later in the span that is the caller's now, as a batch of several callers does. */
export function captureSpan(): RunWithin {
  return tracer === null ? runHere : tracer.capture();
}

function runHere<Result>(work: () => Result): Result {
  return work();
}

/** Runs `work` in a span; `endOf` returns the attributes of its result. */
export async function inSpan<Result>(
  span: NewSpan,
  work: () => Promise<Result>,
  endOf: (result: Result) => SpanEnd = () => ({}),
): Promise<Result> {
  const open = openSpan(span);
  if (open === null) return await work();
  let end: SpanEnd = { error_type: "_OTHER" };
  try {
    const result = await open.run(work);
    end = endOf(result);
    return result;
  } catch (error) {
    end = { error_type: errorType(error) };
    throw error;
  } finally {
    open.end(end);
  }
}

/** The code or the class of an error; never its message, which may repeat values. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
