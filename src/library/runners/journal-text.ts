import type { RequestView } from '../../judges/inspection/view.ts'
import type { PetMock } from '../testing/pet-mock.ts'

const maxShown = 20

/** Formats the requests of a failed test: a line each, newest last, with the reasons of refusals and faults. */
export async function journalText({ requests }: PetMock, title: string): Promise<string> {
  const [count, found] = await Promise.all([requests.count(), requests.list({ limit: maxShown })])
  if (count === 0)
    return `pet-mock: "${title}" sent no request with its key. Does its client use petMock.key?`
  const left = count > maxShown ? `, the last ${maxShown}` : ''
  const lines = await Promise.all(found.toReversed().map(request => formatRequest(request, requests)))
  return `pet-mock: requests of "${title}" (${count} request${count === 1 ? '' : 's'}${left}):\n${lines.flat().join('\n')}`
}

async function formatRequest(
  request: RequestView,
  { explain }: PetMock['requests'],
): Promise<readonly string[]> {
  const { id, method, target, status, code, delayMs, fault, limit } = request
  const details = [
    code,
    fault === null ? null : `fault ${fault}`,
    delayMs === null ? null : `after ${delayMs} ms`,
    limit === null ? null : `${limit[limit.told].remaining} left`,
  ]
  const line = [`  #${id}`, method, target, '->', status, ...details.filter(part => part !== null)].join(' ')
  if (code === null && fault === null) return [line]
  const { explanation } = await explain(id)
  // The first sentence repeats the line.
  return [line, ...explanation.sentences.slice(1).map(sentence => `       ${sentence}`)]
}
