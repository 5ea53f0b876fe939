import { contains } from '../../../base/json/contains.ts'
import type { JsonObject } from '../../../base/json/value.ts'
import { type CheckedCall, petOf, show } from '../calls/checked-call.ts'
import type { CheckId } from '../calls/checks.ts'

/** The fields of the specification. Others may be anything, and change with every response. */
const specified = ['id', 'name', 'categoryId', 'status'] as const

/** The fields that differ from what is known, as sentences without their full stop. */
export function differences(found: JsonObject, known: JsonObject): readonly string[] {
  return fieldsOf(found, known).map(({ text }) => text)
}

/** Checks the fields of an animal. Digits that a double loses fail a check of their own. */
export function checkFields(call: CheckedCall, known: JsonObject, id: CheckId): void {
  const fields = fieldsOf(petOf(call) ?? {}, known)
  const say = (texts: typeof fields) => texts.map(({ text }) => text).join('; ')
  const changed = fields.filter(({ isRounded }) => !isRounded)
  const rounded = fields.filter(({ isRounded }) => isRounded)
  call.check(id, changed.length === 0, say(changed))
  if (Object.values(known).some(value => typeof value === 'bigint'))
    call.check('int64-exact', rounded.length === 0, say(rounded))
}

function fieldsOf(found: JsonObject, known: JsonObject) {
  return specified.flatMap(name => {
    const [value, other] = [known[name], found[name]]
    if (value === undefined || contains(other, value)) return []
    const isRounded = typeof value === 'bigint' && Number(value) === Number(other)
    return [{ isRounded, text: `${name} is ${show(other)}, not ${show(value)}` }]
  })
}
