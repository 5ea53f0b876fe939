import type { RequestView } from '../../judges/inspection/view.ts'
import type { PetMock } from '../testing/pet-mock.ts'

/** More than these, nobody reads on a terminal. */
const mostShown = 20

/**
 * What a sandbox was asked, for whoever wonders why a test failed: a line for each request, the newest last, and below
 * each that was refused or failed, why.
 */
export async function journalText({ requests }: PetMock, title: string): Promise<string> {
  const [count, found] = await Promise.all([requests.count(), requests.list({ limit: mostShown })])
  if (count === 0)
    return `pet-mock: "${title}" sent no request with its key. Where it should have, its client is to be given petMock.key.`
  const left = count > mostShown ? `, the last ${mostShown}` : ''
  const lines = await Promise.all(found.toReversed().map(request => tell(request, requests)))
  return `pet-mock: what "${title}" asked (${count} request${count === 1 ? '' : 's'}${left}):\n${lines.flat().join('\n')}`
}

async function tell(request: RequestView, { explain }: PetMock['requests']): Promise<readonly string[]> {
  const { id, method, target, status, code, delayMs, fault, limit } = request
  const told = [
    code,
    fault === null ? null : `fault ${fault}`,
    delayMs === null ? null : `after ${delayMs} ms`,
    limit === null ? null : `${limit[limit.told].remaining} left`,
  ]
  const line = [`  #${id}`, method, target, '->', status, ...told.filter(part => part !== null)].join(' ')
  if (code === null && fault === null) return [line]
  const { explanation } = await explain(id)
  // The first sentence says again what the line says.
  return [line, ...explanation.sentences.slice(1).map(sentence => `       ${sentence}`)]
}
