import type { ExplainedRequest } from '../../library/client/controls.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { createRequestLines } from '../log/request-lines.ts'
import type { Paint } from '../terminal/paint.ts'
import { printable, wrap } from '../terminal/printable.ts'
import { cell, tableLines } from '../terminal/table.ts'
import type { RequestList } from './follow-requests.ts'
import { otherSandboxes } from './other-sandboxes.ts'
import type { ExplainValues } from './request-flags.ts'
import type { Session } from './session.ts'

const maxWidth = 100

export async function explainRequest(session: Session<ExplainValues>): Promise<void> {
  const { values, words, ask, print, paint, io } = session
  const id = words[0] ?? (await newestId(session))
  const query = { ...(values['show-keys'] && { keys: 'shown' }) }
  const others = words[0] === undefined ? await otherSandboxes(session, true) : []
  const columns = io.stdout.columns
  const explained = await ask<ExplainedRequest>('GET', `/requests/${id}`, undefined, query)
  print(explained, ({ explanation: { sentences, mismatches }, ...request }) => [
    ...createRequestLines(paint, columns, false)([request]),
    '',
    ...sentences.flatMap(sentence => wrap(printable(sentence), Math.min(maxWidth, columns ?? maxWidth))),
    ...(mismatches.length === 0 ? [] : mismatchTable(mismatches, paint)),
    ...others.map(line => paint('dim', line)),
  ])
}

async function newestId(session: Session): Promise<number> {
  const { ask } = session
  const [newest] = (await ask<RequestList>('GET', '/requests', undefined, { limit: 1 })).requests
  if (newest !== undefined) return newest.id
  const problem = 'There is nothing to explain: the journal has no requests.'
  throw new PetMockError('not_found', [problem, ...(await otherSandboxes(session, true))].join(' '))
}

function mismatchTable(
  mismatches: ExplainedRequest['explanation']['mismatches'],
  paint: Paint,
): readonly string[] {
  const head = ['', 'asked', 'expected'].map(title => cell(title, { style: 'dim' }))
  const rows = mismatches.map(({ what, asked, expected }) => [
    cell(what, { style: 'bold' }),
    cell(asked, { style: 'yellow' }),
    cell(expected, { style: 'green' }),
  ])
  return ['', ...tableLines([head, ...rows], paint)]
}
