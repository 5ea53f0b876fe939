import type { JsonObject } from '../../base/json/value.ts'
import { show } from './list-pets.ts'
import { get, petOf, type Seen } from './request.ts'
import { expectStatus, type Part, type Run } from './run-parts.ts'

/** getPet: what it tells, of whom it knows nothing, and that it will be removed. */
export const animals: Part = {
  name: 'animals',
  act: async run => {
    const [pet] = run.pets
    if (pet?.id !== undefined) {
      const seen = await getPet(run, pet, 'get-same')
      if (seen !== undefined) checkDeprecation(run, seen)
    }
    // Beyond 2^53: who reads it as a double looks for another one.
    await expectStatus(run, get('/pets/9223372036854775783'), 'get-unknown', 404)
    await expectStatus(run, get('/pets/none'), 'get-malformed', 404)
  },
}

/** Gets an animal by its id, and compares it with what is known of it. */
export async function getPet(
  run: Run,
  known: JsonObject,
  rule: 'get-same' | 'create-kept',
): Promise<Seen | undefined> {
  const seen = await expectStatus(run, get(`/pets/${String(known.id)}`), 'get-answers', 200)
  if (seen === undefined) return undefined
  compare(run, seen, known, rule)
  return seen
}

/** Compares fields; a difference that only a double would make is told as what it is. */
export function compare(
  { ledger }: Run,
  seen: Seen,
  known: JsonObject,
  rule: 'get-same' | 'create-kept' | 'create-as-sent',
): void {
  const pet = petOf(seen) ?? {}
  const differing = Object.entries(known).filter(([name, value]) => pet[name] !== value)
  const rounded = differing.filter(([name, value]) => isRounded(value, pet[name]))
  const others = differing.filter(entry => !rounded.includes(entry))
  const tell = (fields: typeof differing) =>
    fields.length > 0 &&
    fields.map(([name, value]) => `${name} is ${show(pet[name])}, not ${show(value)}`).join('; ')
  ledger.expect(rule, seen, tell(others))
  if (Object.values(known).some(value => typeof value === 'bigint'))
    ledger.expect('int64-exact', seen, tell(rounded))
}

function isRounded(value: unknown, other: unknown): boolean {
  return typeof value === 'bigint' && Number(value) === Number(other)
}

function checkDeprecation({ ledger }: Run, seen: Seen): void {
  const { sunset, link = '' } = seen.headers
  ledger.expect('deprecation-sunset', seen, sunset === undefined && 'there is no Sunset')
  if (sunset !== undefined) {
    const isRight = sunset === 'Thu, 05 Dec 2030 00:00:00 GMT'
    ledger.expect('deprecation-date', seen, !isRight && `Sunset is ${sunset}`)
  }
  ledger.expect(
    'deprecation-successor',
    seen,
    !/rel="?successor-version"?/.test(link) && `Link is ${link || 'missing'}`,
  )
}
