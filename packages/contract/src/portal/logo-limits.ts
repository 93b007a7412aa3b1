/** A logo's file. */
export const MAX_LOGO_BYTES = 128 * 1024;

/** The same in base64. */
export const MAX_LOGO_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4;

/** The longest side of a logo, in pixels. */
export const MAX_LOGO_SIDE = 1024;
