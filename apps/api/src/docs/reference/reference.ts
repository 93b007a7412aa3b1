import type { ApiDocument } from "../../openapi/document-types.ts";
import type { Described } from "./fields.ts";
import type { ObjectAddress } from "./fields-html.ts";
import { type ReferencePage, referencePages } from "./model.ts";

/** The whole reference: its pages, and the objects that their fields refer to. */
export interface ApiReference {
  document: ApiDocument;
  pages: readonly ReferencePage[];
  described: Described;
  /** The address of an object's description, from a page in the folder of the resources. */
  addressOf: ObjectAddress;
}

export function buildReference(document: ApiDocument): ApiReference {
  const pages = referencePages(document);
  const addresses = new Map(
    pages.flatMap(({ slug, object }) =>
      object === null ? [] : [[object.name, `${slug.replace(/^.*\//, "")}#${object.anchor}`] as const],
    ),
  );
  const described = { schemas: document.components.schemas, objects: new Set(addresses.keys()) };
  return { document, pages, described, addressOf: (name) => addresses.get(name) ?? "" };
}
