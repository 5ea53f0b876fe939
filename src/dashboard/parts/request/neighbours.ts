import type { CallRow, Row } from '../../traffic/row.ts'

/** The ids of the calls of the same key next to a call, as far as the page has them. */
export function neighboursOf(
  rows: readonly Row[],
  id: number,
): { readonly earlier: number | undefined; readonly later: number | undefined } {
  const calls = rows.filter((row): row is CallRow => row.kind === 'call')
  const index = calls.findIndex(call => call.id === id)
  if (index < 0) return { earlier: undefined, later: undefined }
  const isSame = (call: CallRow) => call.key === calls[index]?.key
  return {
    earlier: calls.slice(index + 1).find(isSame)?.id,
    later: calls.slice(0, index).findLast(isSame)?.id,
  }
}
