import { useMemo } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { useLive } from '../state/live.ts'
import type { Loaded } from '../state/load.ts'
import type { ApiDocument } from './operation.ts'
import { readDocument } from './read-document.ts'

/** The contract of the server with the operations of `--openapi`, or that of the plane. Read anew when it may have changed. */
export function useDocument(
  { plane, origin, connection }: App,
  id: 'getContract' | 'getDescription',
): Loaded<ApiDocument> {
  const load = useMemo(() => {
    let last: { readonly text: string; readonly document: ApiDocument } | undefined
    // Almost every change leaves the document alone, and then the page need not be drawn anew.
    return async () => {
      const text = await plane.read(id)
      if (last?.text !== text) last = { text, document: readDocument(text, origin) }
      return last.document
    }
  }, [plane, id, origin])
  const { value, error } = useLive(connection, load, [load], 'changes')
  return { value: value.value, error: error.value }
}
