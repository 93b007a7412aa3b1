import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 collect garbage before the heap is several times what is in use. Left alone it sizes the heap by
 * the machine's memory, and a process that needs 40 MB grows to 200.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=40");
}
