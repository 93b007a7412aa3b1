import fc from "fast-check";
import { FULL_TESTS } from "./full-tests.ts";

/*
 * A set-up for all test files: random histories and values are the same in each run of the short form. A run that fails by chance
 * stops somebody whose change is another; the full form has new ones each time, and finds what these lack.
 */

if (!FULL_TESTS) fc.configureGlobal({ seed: 1 });
