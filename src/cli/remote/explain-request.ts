import type { ExplainedRequest } from '../../library/client/controls.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { createRequestLines } from '../log/request-lines.ts'
import { printable, wrap } from '../terminal/printable.ts'
import { cell, tableLines } from '../terminal/table.ts'
import type { RequestList } from './list-requests.ts'
import { expectWords, onServer } from './on-server.ts'
import { explainFlags } from './requests.ts'

const widest = 100

export const run = onServer(explainFlags, {
  check: words => {
    const [id] = words
    const wrongId = id === undefined || /^[0-9]{1,15}$/.test(id)
    return [
      ...expectWords(words, 'requests explain', ['[ID]'], 1),
      ...(wrongId
        ? []
        : [`${JSON.stringify(id)} is no number of a request, such as 17: pet-mock requests lists them`]),
    ]
  },
  act: async ({ words: [typed], values, ask, tell, paint, io }) => {
    const query = { ...(values['show-keys'] && { keys: 'shown' }) }
    const newest = async () => {
      const { requests } = await ask<RequestList>('GET', '/requests', undefined, { limit: 1 })
      const [request] = requests
      if (request === undefined)
        throw new PetMockError('not_found', 'There is nothing to explain: no requests are kept.')
      return request.id
    }
    const id = typed ?? (await newest())
    const columns = io.stdout.columns
    const request = await ask<ExplainedRequest>('GET', `/requests/${id}`, undefined, query)
    tell(request, ({ explanation: { sentences, mismatches }, ...request }) => [
      ...createRequestLines(paint, columns, false)([request]),
      '',
      ...sentences.flatMap(sentence => wrap(printable(sentence), Math.min(widest, columns ?? widest))),
      ...(mismatches.length === 0 ? [] : ['']),
      ...tableLines(
        [
          ...(mismatches.length === 0
            ? []
            : [['', 'asked', 'expected'].map(title => cell(title, { style: 'dim' }))]),
          ...mismatches.map(({ what, asked, expected }) => [
            cell(what, { style: 'bold' }),
            cell(asked, { style: 'yellow' }),
            cell(expected, { style: 'green' }),
          ]),
        ],
        paint,
      ),
    ])
  },
})
