import type { App } from '../app/app.ts'
import { type Loaded, useLoad } from '../state/load.ts'
import type { ApiDocument } from './operation.ts'
import { readDocument } from './read-document.ts'

/** The contract of the server, with the operations of `--openapi`. Read anew after a restart. */
export function useContract({ callApi, origin, login, connection }: App): Loaded<ApiDocument> {
  return useLoad(async () => {
    const token = login.token()
    // A server that other machines reach gives the operations of --openapi to those with the token only.
    const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
    const response = await callApi('/openapi.json', { headers, cache: 'no-store' })
    if (!response.ok) throw new Error(`The server answered ${response.status}.`)
    return readDocument(await response.text(), origin)
  }, [connection.run.value])
}

/** The description of the admin plane. */
export function usePlaneDescription({ plane, origin, connection }: App): Loaded<ApiDocument> {
  return useLoad(
    async () => readDocument(JSON.stringify(await plane.call('getDescription')), origin),
    [connection.run.value],
  )
}
