import { ENGLISH } from "@findersfee/ui/texts";

export const components = ENGLISH;
