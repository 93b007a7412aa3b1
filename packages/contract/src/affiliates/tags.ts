import { z } from "zod";
import { must, name } from "../fields.ts";

/** The most tags of an affiliate. */
export const MAX_TAGS = 20;
/** The most characters of a tag. */
const MAX_TAG = 40;

/** A tag as it is stored: in lower case, with single spaces. */
function normalizeTag(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/g, " ").trim().toLowerCase();
}

/** A tag in a request. Lists in files separate tags by commas, so tags have none. */
export const tagInput = name(MAX_TAG, z.string().overwrite(normalizeTag)).regex(
  /^[^,]*$/,
  must("Must not contain a comma."),
);

/** Tags in a request: each once, in the order of the alphabet. */
export const tagsInput = z
  .array(tagInput)
  .max(MAX_TAGS)
  .overwrite((tags) => [...new Set(tags)].sort());

/** The tags of a line of a file, with commas between them. */
export const writtenTags = z
  .string()
  .transform((text) => text.split(",").filter((tag) => tag.trim() !== ""))
  .pipe(tagsInput);
