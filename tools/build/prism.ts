/** What the judges use of Prism. Its bundle is one CommonJS file, which both builds of the package load. */
export { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
