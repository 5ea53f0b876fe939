import { describe, expect, test } from 'vitest'
import { filteredPages, firstList, pageSize } from '../../../src/judges/conformance/lists.ts'
import { generatedReads, generatedWrites, routes } from '../../../src/judges/conformance/other-requests.ts'
import { animals, creating } from '../../../src/judges/conformance/pets.ts'
import { get } from '../../../src/judges/conformance/requests.ts'
import { runAgainst } from './run-against.ts'

const pets = (count: number, status?: string) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'Rex', categoryId: 1, status }))

const listOf = (count: number, status?: string) => ({ text: JSON.stringify(pets(count, status)) })

describe('the default of limit', () => {
  /** What a run says of a service with 25 animals, by how many it sends without `limit`. */
  async function told(usual: number) {
    const { run, sent } = runAgainst(({ target }) => {
      const limit = /limit=(\d+)/.exec(target)?.[1]
      return listOf(Math.min(25, limit === undefined ? usual : Number(limit)))
    })
    await firstList.act(run)
    await pageSize.act(run)
    const failed = run.ledger.failed.find(({ check }) => check === 'list-default')
    return { sent, detail: failed?.detail, listed: [...run.listed.keys()] }
  }

  test.each<[usual: number, detail: string | undefined, more: readonly string[]]>([
    [20, undefined, []],
    [21, '21 animals', []],
    [10, '10 animals, but 20 with limit=20', ['GET /pets?limit=20', 'GET /pets?limit=20', 'GET /pets']],
  ])('%i: the report says %s', async (usual, detail, more) => {
    const sent = ['GET /pets?limit=100', 'GET /pets', ...more, 'GET /pets?limit=24']
    expect(await told(usual)).toEqual({ sent, detail, listed: [''] })
  })
})

test.each<[status: string]>([['available'], ['pending'], ['sold']])(
  'the pages of a filtered list are those of the most frequent status, such as %s',
  async status => {
    const { run, sent } = runAgainst(() => listOf(2, status))
    await firstList.act(run)
    await filteredPages.act(run)
    expect(sent[1]).toBe(`GET /pets?limit=1&status=${status}`)
  },
)

test('a new animal that a list has only after a moment leaves the check open', async () => {
  const created: object[] = []
  const { run } = runAgainst(({ method, target, body, number }) => {
    if (method === 'GET' && target === '/pets?limit=100')
      return { text: JSON.stringify(number > 7 ? [...pets(1), ...created] : pets(1)) }
    if (method === 'GET' && target.startsWith('/pets?')) return { text: JSON.stringify(created.slice(0, 1)) }
    const one = created.find(pet => 'id' in pet && target === `/pets/${pet.id}`)
    if (method === 'GET') return { text: JSON.stringify(one) }
    created.push({ id: created.length + 2, ...JSON.parse(body ?? '') })
    return { status: 201, text: JSON.stringify(created.at(-1)) }
  })
  run.longestList = 100
  await firstList.act(run)
  await creating.act(run)
  expect(run.ledger.open.get('create-listed')).toBe('the service lists a new animal only after a moment')
  expect(run.ledger.isFailed('create-listed')).toBe(false)
})

test.each<[status: string, checked: readonly string[]]>([
  ['200', ['contract-status', 'contract-media-type', 'contract-header', 'contract-body']],
  ['201', ['contract-status']],
])(
  'a success whose operation documents %s: the parts of the contract that are checked',
  async (status, parts) => {
    const breach = { side: 'response', part: 'status', place: '', message: 'The status is wrong' } as const
    const { run } = runAgainst(() => ({}), {
      judge: {
        operations: [{ id: 'listPets', method: 'GET', path: '/pets', statuses: [status] }],
        judge: async () => ({
          operation: 'listPets',
          isDocumented: status === '200',
          isOtherError: false,
          breaches: [breach],
          assumed: new Set(),
          isBodyAssumed: false,
        }),
      },
    })
    run.budget.release()
    await run.callNow(get('/pets'))
    const checked = [...run.ledger.checked.keys()].filter(check => /^contract-(?!assumed)/.test(check))
    expect(checked.toSorted()).toEqual(parts.toSorted())
    expect(run.ledger.isFailed('contract-status')).toBe(true)
  },
)

test.each<[id: bigint, neighbour: bigint]>([
  [9_007_199_254_740_994n, 9_007_199_254_740_995n],
  [9_007_199_254_740_997n, 9_007_199_254_740_996n],
])('beside the animal %d, which a double may lose, nobody should be found at %d', async (id, neighbour) => {
  const { run, sent } = runAgainst(() => ({ status: 404, text: '' }))
  run.pets = [{ id, name: 'Rex', categoryId: 1 }]
  await animals.act(run)
  expect(sent.at(-1)).toBe(`GET /pets/${neighbour}`)
})

test('without a header Allow, the report says that it is missing', async () => {
  const { run } = runAgainst(({ method }) => (method === 'PATCH' ? { status: 405 } : {}))
  await routes.act(run)
  const failed = run.ledger.failed.find(({ check }) => check === 'method-allow')
  expect(failed?.detail).toBe('Allow is missing')
})

describe('generated requests', () => {
  const many = { maxCalls: 3_000, exhausts: false }

  test('have limits of every form that is no whole number from 1 to 100', async () => {
    const { run, sent } = runAgainst(({ target }) => (/limit=/.test(target) ? { status: 400 } : {}), many)
    await generatedReads.act(run)
    const limits = sent.map(line => decodeURIComponent(/limit=([^&]*)/.exec(line)?.[1] ?? 'none'))
    expect(limits).toEqual(expect.arrayContaining(['', '1.5', '1e1', '+5', '0x10', '٥']))
  })

  test('end at once, and say so, when the service cannot be reached any more', async () => {
    const gone = new Error('the service went away')
    const { run, sent } = runAgainst(({ number }) => {
      if (number > 5) throw gone
      return { status: 404 }
    }, many)
    await expect(generatedReads.act(run)).rejects.toBe(gone)
    expect(sent.length).toBeLessThan(8)
  })

  test('create animals with categories of all sizes up to 64 bits', async () => {
    const categories: string[] = []
    const { run } = runAgainst(({ method, body }) => {
      if (method === 'POST') categories.push(/"categoryId":(-?\d+)[,}]/.exec(body ?? '')?.[1] ?? '')
      return { status: 400 }
    }, many)
    await generatedWrites.act(run)
    const digits = categories.map(text => text.replace('-', '').length)
    for (const length of [1, 17, 18, 19])
      expect(digits.filter(count => count === length).length).toBeGreaterThan(3)
  })
})
