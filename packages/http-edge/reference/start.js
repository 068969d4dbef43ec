/* global document, SwaggerUIBundle */
// The script before this one brings SwaggerUIBundle.
const place = document.getElementById('reference');

SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  defaultModelExpandDepth: 4,
  // The schemas at the end are folded: each stands where it is used, too.
  defaultModelsExpandDepth: 0,
  // No address is asked whether the document is valid.
  validatorUrl: null,
});
