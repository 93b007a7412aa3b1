import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 collect garbage before the heap grows to several times the memory in use. By default it sizes the
 * heap by the machine's memory, and a process that needs 40 MB grows to 200.
 */
export function limitHeap(): void {
  setFlagsFromString("--heap-growing-percent=40");
}
