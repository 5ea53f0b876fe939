import type { JsonObject } from '../../base/json/value.ts'
import type { CheckRun, Part } from './check-run.ts'
import { type CheckedCall, petOf, show } from './checked-call.ts'
import type { CheckId } from './checks.ts'
import { get } from './request.ts'

/** getPet: its fields, unknown ids, and its deprecation. */
export const animals: Part = {
  name: 'animals',
  act: async run => {
    const [pet] = run.pets
    const call = pet?.id === undefined ? undefined : await getPet(run, pet, 'get-same')
    if (call !== undefined) checkDeprecation(call)
    // An id beyond 2^53: a service that reads doubles looks for another one.
    await run.expect(404, get('/pets/9223372036854775783'), 'get-unknown')
    await run.expect(404, get('/pets/none'), 'get-malformed')
  },
}

/** Gets an animal by its id, and compares its fields with those that are known. */
export async function getPet(
  run: CheckRun,
  known: JsonObject,
  id: 'get-same' | 'create-kept',
): Promise<CheckedCall | undefined> {
  const call = await run.expect(200, get(`/pets/${String(known.id)}`), 'get-answers')
  if (call !== undefined) compareFields(call, known, id)
  return call
}

/** Compares the fields of an animal. Digits that a double loses fail a check of their own. */
export function compareFields(
  call: CheckedCall,
  known: JsonObject,
  id: 'get-same' | 'create-kept' | 'create-as-sent',
): void {
  const pet = petOf(call) ?? {}
  const fields = Object.entries(known).map(([name, value]) => ({ name, value, found: pet[name] }))
  const differing = fields.filter(({ value, found }) => found !== value)
  const isRounded = ({ value, found }: (typeof fields)[number]) =>
    typeof value === 'bigint' && Number(value) === Number(found)
  const check = (id: CheckId, wrong: typeof fields) => {
    const details = wrong.map(({ name, value, found }) => `${name} is ${show(found)}, not ${show(value)}`)
    call.check(id, wrong.length === 0, details.join('; '))
  }
  const changed = differing.filter(field => !isRounded(field))
  check(id, changed)
  if (fields.some(({ value }) => typeof value === 'bigint')) check('int64-exact', differing.filter(isRounded))
}

function checkDeprecation({ headers, check }: CheckedCall): void {
  const { sunset, link = 'missing' } = headers
  check('deprecation-sunset', sunset !== undefined, 'Sunset is missing')
  if (sunset !== undefined)
    check('deprecation-date', sunset === 'Thu, 05 Dec 2030 00:00:00 GMT', `Sunset is ${sunset}`)
  check('deprecation-successor', /rel="?successor-version"?/.test(link), `Link is ${link}`)
}
