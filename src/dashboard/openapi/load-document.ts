import type { App } from '../app/app.ts'
import { type Loaded, useLoad } from '../state/load.ts'
import type { ApiDocument } from './operation.ts'
import { readDocument } from './read-document.ts'

/** The contract of the server, with the operations of `--openapi`. Read anew after a restart. */
export function useContract(app: App): Loaded<ApiDocument> {
  return useDocument(app, 'getContract')
}

/** The description of the admin plane. */
export function usePlaneDescription(app: App): Loaded<ApiDocument> {
  return useDocument(app, 'getDescription')
}

function useDocument(
  { plane, origin, connection }: App,
  id: 'getContract' | 'getDescription',
): Loaded<ApiDocument> {
  return useLoad(async () => readDocument(await plane.read(id), origin), [connection.run.value])
}
