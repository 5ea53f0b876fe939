import { allowedMethods, apiMethods, findRoute } from '../../src/service/operations/routes.ts'

/* What the operations table says about methods: a new operation changes no test. */

/** The `Allow` of a path of the API. `without`: a method that it does not have at the moment. */
export function allowAt(path: string, without?: string): string {
  const methods = [...(findRoute(path)?.route.operations.keys() ?? [])]
  return allowedMethods(methods.filter(method => method !== without))
}

/** The `Allow` of answers that are about no path. */
export const allowAnywhere = allowedMethods(apiMethods)

/** A method that no operation has. */
export const otherMethod =
  ['PATCH', 'PUT', 'DELETE'].find(method => !apiMethods.includes(method)) ?? 'PROPFIND'
