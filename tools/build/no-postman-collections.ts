/**
 * Stands in the bundle for the part of Prism's reader that is for Postman collections: a contract is OpenAPI, and what
 * reads the other brings 3.5 MB.
 */
export function transformPostmanCollectionOperations(): never {
  throw new Error('a contract is an OpenAPI description, not a Postman collection')
}
