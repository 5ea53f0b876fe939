import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { conceal, showAsIs } from '../../../src/judges/inspection/conceal.ts'
import { explain } from '../../../src/judges/inspection/explain.ts'
import { compileFilter } from '../../../src/judges/inspection/filter.ts'
import { writeHar } from '../../../src/judges/inspection/har.ts'
import { absent } from '../../../src/service/call/answer.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'
import { fly } from '../../support/flights.ts'
import { noon } from '../../support/scenarios.ts'

/** A call of the emulator, with another reply or trace. */
function exchange(key: string | null = 'demo-free', trace: Partial<Exchange['trace']> = {}): Exchange {
  const seen: Exchange[] = []
  fly(
    {},
    ({ call }) => call('GET /v1/pets/7', { key }),
    one => seen.push(one),
  )
  const [one] = seen
  if (one === undefined) throw new Error('no call')
  return { ...one, trace: { ...one.trace, ...trace } }
}

const breach = { side: 'response', part: 'body', place: '', message: 'It is wrong' } as const

test.each<[breaking: boolean | undefined, found: readonly boolean[]]>([
  [undefined, [true, true, true]],
  [true, [false, false, true]],
  [false, [true, true, false]],
])('calls with breaking: %s', (breaking, found) => {
  const fits = compileFilter({ breaking }, () => noon)
  const one = exchange()
  expect([one, { ...one, breaches: [] }, { ...one, breaches: [breach] }].map(fits)).toEqual(found)
})

describe('a key in a header', () => {
  const isKey = (text: string) => text === 'another-key-123'
  const secrets = createSecrets()

  test.each<[sent: string, hidden: string]>([
    ['another-key-123', secrets.maskKey('another-key-123')],
    ['another-key-123+worker-3', `${secrets.maskKey('another-key-123')}+worker-3`],
    ['unknown-key-123+worker-3', secrets.mask('unknown-key-123+worker-3')],
    ['+worker-3-is-no-key', secrets.mask('+worker-3-is-no-key')],
  ])('%s is shown as %s', (sent, hidden) => {
    const { header } = conceal(exchange(), secrets, isKey)
    expect(header('Authorization', `Bearer ${sent}`)).toBe(`Bearer ${hidden}`)
  })
})

test.each<[headers: Readonly<Record<string, string>>, mimeType: string]>([
  [{ 'Content-Type': 'application/json' }, 'application/json'],
  [{}, 'x-unknown'],
])('an archive has the type of a reply with the headers %j as %s', (headers, mimeType) => {
  const { reply, ...one } = exchange()
  const text = [
    ...writeHar(
      [{ ...one, reply: { ...reply, headers } }],
      () => showAsIs,
      '1',
      () => 0,
    ),
  ].join('')
  expect(JSON.parse(text).log.entries[0].response.content.mimeType).toBe(mimeType)
})

describe('an explanation', () => {
  const sentencesOf = (one: Exchange) => explain(one, [], text => text).sentences
  const injected = 'The rule "outage" injected this response.'
  const uncounted =
    'Callers without a valid key are counted by IP address. They get 429 only if the scenario sets limits.anonymous to enforce.'

  test.each<[what: string, operation: Exchange['trace']['operation'], sentences: readonly string[]]>([
    ['an operation', 'getPet', [injected, 'getPet was carried out before.']],
    ['nothing', undefined, [injected]],
  ])('of an injected response after %s says so', (_what, operation, sentences) => {
    const said = sentencesOf(exchange('demo-free', { gate: 'rule', rules: ['outage'], operation }))
    expect(said.filter(sentence => sentence === injected || sentence.includes('before'))).toEqual(sentences)
  })

  test('says that a call without a key is counted, and of no other call', () => {
    expect(sentencesOf(exchange(null))).toContain(uncounted)
    expect(sentencesOf(exchange())).not.toContain(uncounted)
  })

  test.each<[asked: string, expected: string, sentence: string]>([
    ['http://a', 'http://b', 'Wrong Origin: expected http://b, found http://a.'],
    [absent, 'http://b', 'Wrong Origin: expected http://b, found nothing.'],
    ['http://a', absent, 'Wrong Origin: expected nothing, found http://a.'],
  ])('names what was wrong, such as %s instead of %s', (asked, expected, sentence) => {
    const mismatches = [{ what: 'Origin', asked, expected }]
    expect(sentencesOf(exchange('demo-free', { mismatches }))).toContain(sentence)
  })

  test('says once that the key is unknown', () => {
    const said = sentencesOf(exchange('nobody'))
    expect(said.filter(sentence => sentence.startsWith('Wrong'))).toEqual([])
    expect(said.filter(sentence => /key/i.test(sentence)).length).toBeGreaterThan(0)
  })
})
