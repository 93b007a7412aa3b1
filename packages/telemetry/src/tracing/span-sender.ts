import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { OtlpProtocol } from "./settings.ts";

/**
 * The time limit of one request with its repetitions. The library's own default is as long as the time that
 * orchestrators give a process to end.
 */
const TIMEOUT_MILLISECONDS = 3_000;

/** Sends spans to the collector until it gives up. */
export class SpanSender implements SpanExporter {
  readonly #exporter: SpanExporter;
  #has_given_up = false;

  constructor(protocol: OtlpProtocol) {
    const { OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_EXPORTER_OTLP_TRACES_TIMEOUT } = process.env;
    const is_set = Boolean(OTEL_EXPORTER_OTLP_TIMEOUT || OTEL_EXPORTER_OTLP_TRACES_TIMEOUT);
    const options = is_set ? {} : { timeoutMillis: TIMEOUT_MILLISECONDS };
    this.#exporter = protocol === "http/json" ? new JsonExporter(options) : new ProtobufExporter(options);
  }

  export(spans: ReadableSpan[], onResult: (result: ExportResult) => void): void {
    if (this.#has_given_up) onResult({ code: ExportResultCode.FAILED });
    else this.#exporter.export(spans, onResult);
  }

  /** Sends nothing more: the process wants to end. */
  giveUp(): void {
    this.#has_given_up = true;
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}
