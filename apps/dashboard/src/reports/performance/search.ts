import { PERFORMANCE_FIELDS } from "@findersfee/ui/performance/fields";
import { searchReader } from "../../lists/search.ts";

/** The report's parameters in the address. */
export const readPerformanceAddress = searchReader(PERFORMANCE_FIELDS);
