// The types beside this file replace those of highlight.js, which add the DOM to each file of the service.
export { default as highlighter } from "highlight.js/lib/core";
export { default as bash } from "highlight.js/lib/languages/bash";
export { default as go } from "highlight.js/lib/languages/go";
export { default as javascript } from "highlight.js/lib/languages/javascript";
export { default as json } from "highlight.js/lib/languages/json";
export { default as php } from "highlight.js/lib/languages/php";
export { default as python } from "highlight.js/lib/languages/python";
export { default as ruby } from "highlight.js/lib/languages/ruby";
export { default as sql } from "highlight.js/lib/languages/sql";
export { default as typescript } from "highlight.js/lib/languages/typescript";
