import { type Constraint, choices } from '../../../base/text/constraint.ts'
import { type Amount, type AmountForm, faults, faultTraits } from '../../../service/call/fault.ts'
import { either, field, itemMap, type MapShape, required, type Shape, variants } from '../../fields/field.ts'
import { ms } from './settled.ts'

/* Faults as scenarios write them, and as snapshots hold them. Both are derived from the table of faults. */

/** A word, or a map with one name and its amount. */
export const fault = faultShape(({ constraint }) => constraint)
/** With times in milliseconds. */
export const savedFault = faultShape(({ constraint }) => (constraint.type === 'duration' ? ms : constraint))

function faultShape(constraintOf: (amount: Amount) => Constraint): Shape {
  const words = faults.filter(name => faultTraits[name].effect !== undefined)
  const rows = faults.flatMap(name => {
    const { amount } = faultTraits[name]
    return amount === undefined ? [] : [{ name, ...amount }]
  })
  const amounts = itemMap(
    Object.fromEntries(
      rows.map(({ name, effect, forms }) => {
        const about = `${effect.charAt(0).toUpperCase()}${effect.slice(1)}.`
        return [name, field(formsShape(forms, constraintOf), about, forms.map(exampleOf))]
      }),
    ),
    { how: 'oneOf', names: rows.map(({ name }) => name), expected: 'exactly one fault with its amount' },
  )
  const expected = `one of ${words.join(', ')}, or a fault with an amount, such as { slow-close: 2s }`
  return either(expected, choices(...words), amounts)
}

function formsShape(forms: readonly AmountForm[], constraintOf: (amount: Amount) => Constraint): Shape {
  const [first, ...others] = forms.map(form => formShape(form, constraintOf))
  if (first === undefined) throw new Error('A fault with an amount has a form')
  if (others.length === 0) return first
  const names = forms.map(form => (isOne(form) ? form.constraint.expected : Object.keys(form).join(' and ')))
  const maps = [first, ...others].filter((shape): shape is MapShape => shape.type === 'map')
  return variants(`one of ${names.join(' or ')}`, ...maps)
}

function formShape(form: AmountForm, constraintOf: (amount: Amount) => Constraint): Shape {
  if (isOne(form)) return constraintOf(form)
  const parts = Object.entries(form).map(
    ([name, part]) => [name, required(constraintOf(part), part.about, [part.example])] as const,
  )
  return itemMap(Object.fromEntries(parts))
}

/** How an amount is written: `5s`, or `{ chunk: 100, every: 500ms }`. */
export function exampleOf(form: AmountForm): unknown {
  if (isOne(form)) return form.example
  return Object.fromEntries(Object.entries(form).map(([name, { example }]) => [name, example]))
}

/** The parts of an amount that are times; `''` stands for an amount without names. */
export function timesOf(name: keyof typeof faultTraits): ReadonlySet<string> {
  const parts = (faultTraits[name].amount?.forms ?? []).flatMap(form =>
    Object.entries(isOne(form) ? { '': form } : form),
  )
  return new Set(parts.filter(([, { constraint }]) => constraint.type === 'duration').map(([part]) => part))
}

function isOne(form: AmountForm): form is Amount {
  return 'constraint' in form
}
