import { expect, test } from 'vitest'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import type { PetMockOptions } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'

/* What a program may write that its types forbid, or that no type can. */

const itself: Record<string, unknown> = { a: [1] }
itself.again = { it: itself }

function rule(fields: object): object {
  return { rules: [{ then: { status: 503 }, ...fields }] }
}

const within = (then: object) => rule({ then })

/** A scenario, and what is said of it. */
const rows: readonly (readonly [unknown, string])[] = [
  [null, 'expected a map of fields, found nothing'],
  [7, 'expected a map of fields, found 7'],
  [new Map([['seed', 7]]), 'expected a map of fields, found an empty map'],
  [{ clok: {} }, 'clok: unknown field; did you mean clock?'],
  [{ toString: 1 }, 'toString: unknown field; known are $schema, title'],
  [{ title: 5 }, 'title: expected text, found 5'],
  [{ title: 'a\0' }, 'title: expected text without control characters, found "a\\u0000"'],
  [{ clock: { frozen: 'yes' } }, 'clock.frozen: expected true or false, found "yes"'],
  [{ keys: ['demo-free'] }, 'keys: expected a map of names, found a list'],
  [{ keys: { mine: 'pro' } }, 'keys.mine: expected a map of fields, found "pro"'],
  [{ extends: 'ban', keys: itself }, 'keys.a: expected a map of fields, found a list'],
  [{ pets: 100 }, 'pets: expected a map of fields, found 100'],
  [{ pets: { gone: 13 } }, 'pets.gone: expected a list, found 13; write it like [13]'],
  [
    { pets: { gone: [undefined] } },
    'pets.gone[0]: expected an id (a whole number of at most 64 bits, 1 or more), found nothing',
  ],
  [{ pets: { add: [{ name: 'Rex' }] } }, 'pets.add[0]: categoryId is missing'],
  [{ limits: { window: 'day' } }, 'limits.window: expected one of first-call, calendar, found "day"'],
  [{ bans: 'of' }, 'bans: expected off or a map of fields, found "of"'],
  [{ pageSize: 'clmp' }, 'pageSize: expected one of reject, clamp, found "clmp"; did you mean clamp?'],
  [{ deprecation: { brownouts: [{ from: '2026-01-01' }] } }, 'deprecation.brownouts[0]: to is missing'],
  [{ walkthrough: ['GET /v1/pets'] }, 'walkthrough[0]: expected a map of fields, found "GET /v1/pets"'],
  [
    { rules: {} },
    'rules: expected a list, found an empty map; write it like [{ match: { operation: createPet }, when: { first: 2 }, then: { status: 503 } }]',
  ],
  [{ rules: [null] }, 'rules[0]: expected a map of fields, found nothing'],
  [rule({ macth: {} }), 'rules[0].macth: unknown field; did you mean match?'],
  [
    rule({ match: { operations: 'listPets' } }),
    'rules[0].match.operations: unknown field; did you mean operation?',
  ],
  [rule({ match: { operation: 'listPet' } }), 'rules[0].match.operation: expected one of listPets,'],
  [rule({ match: { method: 'get' } }), 'rules[0].match.method: expected one of GET, HEAD,'],
  [
    rule({ match: { query: { a: {} } } }),
    'rules[0].match.query.a: expected a text or a number, found an empty map',
  ],
  [rule({ match: { body: [1] } }), 'rules[0].match.body: expected a map of fields, found a list'],
  [
    rule({ match: { body: itself } }),
    'rules[0].match.body.again.it: circular reference, which JSON cannot hold',
  ],
  [rule({ when: { frist: 2 } }), 'rules[0].when.frist: unknown field; did you mean first?'],
  [
    rule({ when: { first: null } }),
    'rules[0].when.first: expected a whole number of calls (1 or more), found nothing',
  ],
  [
    rule({ when: { probability: Number.NaN } }),
    'rules[0].when.probability: expected a number above 0 and up to 1',
  ],
  [
    rule({ when: { between: ['1s'] } }),
    'rules[0].when.between: expected a list of two durations, from and to, found a list',
  ],
  [within({ staus: 503 }), 'rules[0].then.staus: unknown field; did you mean status?'],
  [
    within({ fault: 'resett' }),
    'rules[0].then.fault: expected one of reset, empty, truncate, malformed, hang, slow, or a fault with an amount, such as { slow-close: 2s }, found "resett"; did you mean reset?',
  ],
  [within({ status: 503, message: 5 }), 'rules[0].then.message: expected text, found 5'],
  [
    within({ status: 503, headers: { a: {} } }),
    'rules[0].then.headers.a: expected a text or a whole number, found an empty map',
  ],
  [within({ body: { n: Number.NaN } }), 'rules[0].then.body.n: expected a JSON value, found NaN'],
  [
    within({ body: [Number.POSITIVE_INFINITY] }),
    'rules[0].then.body[0]: expected a JSON value, found Infinity',
  ],
  [within({ body: { at: new Date(0) } }), 'rules[0].then.body.at: expected a JSON value, found "date"'],
  [within({ body: itself }), 'rules[0].then.body.again.it: circular reference, which JSON cannot hold'],
  [within({ delay: 5 }), 'rules[0].then.delay: expected a duration with its unit (write 5s or 5ms), found 5'],
  [within({ delay: { lognormal: { median: '1s' } } }), 'rules[0].then.delay.lognormal: p99 is missing'],
]

test.each(rows)('%o', async (scenario, message) => {
  const error = { name: 'PetMockError', code: 'invalid_scenario', message: expect.stringContaining(message) }
  expect(() => createPetMock({ scenario } as PetMockOptions)).toThrow(expect.objectContaining(error))
  await expect(startPetMock({ scenario } as PetMockOptions)).rejects.toMatchObject(error)
})

test('all mistakes are listed at once', () => {
  const scenario = { sed: 7, extends: 'bam', rules: [{ then: { fault: 'x' } }, { wen: {} }], clock: 5 }
  expect(() => createPetMock({ scenario } as unknown as PetMockOptions)).toThrow(
    /sed: .*; extends: no shipped scenario is named "bam".*; rules\[0\]\.then\.fault: .*; rules\[1\]\.wen: .*; clock: /,
  )
})

test('what is absent is as good as undefined, and what stands in two places is no circle', () => {
  const shared = { a: 1 }
  const then = { body: { one: shared, two: [shared, shared] }, delay: undefined }
  expect(() =>
    createPetMock({ scenario: { seed: undefined, rules: [{ name: undefined, then }] } }),
  ).not.toThrow()
})

test.each([
  [{ then: { body: itself } }, 'rule.then.body.again.it'],
  [{ then: { body: { n: Number.NaN } } }, 'rule.then.body.n'],
  [{ then: { body: { f: () => 1 } } }, 'rule.then.body.f'],
])('a rule that is added later: %o', async (added, place) => {
  const mock = createPetMock()
  await expect(mock.rules.add(added as never)).rejects.toMatchObject({
    code: 'invalid_command',
    message: expect.stringContaining(place.replace('rule.', '')),
  })
  await expect(mock.scenario.use({ rules: [added] } as never)).rejects.toMatchObject({
    code: 'invalid_command',
    message: expect.stringContaining(place.replace('rule.', 'scenario.rules[0].')),
  })
})
