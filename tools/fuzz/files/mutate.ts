import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { oneOf, textOf, words } from '../grammar/any-request.ts'
import { hostile } from '../grammar/from-schema.ts'

const token = fc.oneof(
  oneOf(...'{ } [ ] : , " \' # | > % \\'.split(' '), ': ', '\n', '\t', '- ', '? ', '\ufeff', '\u2028', '\0'),
  oneOf('&a ', '<<: *a', '!!js/function ', '!!binary ', '---\n', '...\n', '%YAML 9.9\n', '__proto__: '),
  words('*a ! "\\ud800" \\u0000'),
  words('1e999 -0 0x10 .inf .nan 9223372036854775808 1_000 0o7 null ~ yes 2026-02-30 \x1b[2J'),
  oneOf('[', '{a: ', '- ', '"').chain(open => oneOf(50, 70, 3_000).map(depth => open.repeat(depth))),
  oneOf(400, 20_000).map(digits => '9'.repeat(digits)),
  textOf(0, 0xff),
)

/** Fields that have a meaning in most files, so that renamed ones are known. */
const name = oneOf(
  '',
  ...'__proto__ constructor extends key keys pets rules then status match id $ref'.split(' '),
)

type Place = readonly (string | number)[]

type Change =
  | { readonly kind: 'text'; readonly at: number; readonly cut: number; readonly put: string }
  | { readonly kind: 'value'; readonly at: number; readonly to: unknown }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'copy'; readonly at: number; readonly from: number }
  | { readonly kind: 'rename'; readonly at: number; readonly name: string }

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: oneOf('value' as const), at: share, to: hostile }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: oneOf('text' as const), at: share, cut: fc.nat(9), put: token }),
  },
  { weight: 1, arbitrary: fc.record({ kind: oneOf('remove' as const), at: share }) },
  { weight: 2, arbitrary: fc.record({ kind: oneOf('copy' as const), at: share, from: share }) },
  { weight: 1, arbitrary: fc.record({ kind: oneOf('rename' as const), at: share, name }) },
)

/** Texts that differ from good ones in one to four places. `read`: how the value of a text is read. */
export function mutated(texts: readonly string[]): fc.Arbitrary<string> {
  const good = texts.map(text => ({ text, value: parse(text, { intAsBigInt: true }) as unknown }))
  return fc
    .tuple(fc.nat(good.length - 1), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([index, changes]) => {
      const { text = '', value } = good[index] ?? {}
      return applyAll(text, value, changes)
    })
}

export function mutatedValues(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc
    .tuple(values, fc.array(change, { maxLength: 2 }), fc.boolean())
    .map(([value, changes, isJson]) => applyAll(write(value, isJson), value, changes))
}

function applyAll(text: string, value: unknown, changes: readonly Change[]): string {
  const inValue = changes.filter(({ kind }) => kind !== 'text')
  const isJson = /^\s*[[{"]/.test(text)
  const edited = inValue.length === 0 ? text : write(inValue.reduce(edit, structuredClone(value)), isJson)
  return changes.reduce((whole, change) => {
    if (change.kind !== 'text') return whole
    const at = Math.floor(change.at * whole.length)
    return whole.slice(0, at) + change.put + whole.slice(at + change.cut)
  }, edited)
}

function write(value: unknown, isJson: boolean): string {
  if (!isJson) return stringify(value, { aliasDuplicateObjects: false })
  return (
    JSON.stringify(value, (_name, field) => (typeof field === 'bigint' ? Number(field) : field)) ?? 'null'
  )
}

function edit(value: unknown, change: Change): unknown {
  const places = placesOf(value)
  const path = places[Math.floor(change.at * places.length)] ?? []
  const parent = at(value, path.slice(0, -1))
  const last = path.at(-1)
  if (last === undefined || typeof parent !== 'object' || parent === null)
    return change.kind === 'value' ? structuredClone(change.to) : value
  const fields = parent as Record<string | number, unknown>
  if (change.kind === 'value') set(fields, last, structuredClone(change.to))
  if (change.kind === 'copy')
    set(fields, last, structuredClone(at(value, places[Math.floor(change.from * places.length)] ?? [])))
  // A list has no names: one called `constructor` would break its methods.
  if (change.kind === 'rename' && !Array.isArray(parent)) set(fields, change.name, fields[last])
  if (change.kind === 'remove' || change.kind === 'rename') {
    if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else delete fields[last]
  }
  return value
}

/** Also sets a field that is called `__proto__`. */
function set(fields: object, name: string | number, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
}

function at(value: unknown, path: Place): unknown {
  return path.reduce<unknown>(
    (part, name) => (part as Record<string | number, unknown> | undefined)?.[name],
    value,
  )
}

/** Every place of a value, as the names that lead to it. */
function placesOf(value: unknown, path: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, field]) => placesOf(field, [...path, name]))]
}
