/* global SwaggerUIBundle */

const is_dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", is_dark.matches);
is_dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: "../v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The limits of parameters.
  showCommonExtensions: true,
  // A key that was typed in is gone when the page is.
  persistAuthorization: false,
  // Nothing is sent to anybody else: no validator, and no document named by the page's address.
  validatorUrl: null,
  queryConfigEnabled: false,
});
