import { type Reason, sortReasons } from '../../../judges/rehearsal/reason.ts'
import { isFailing, type SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import type { Paint } from '../../terminal/paint.ts'
import { printable, wrap } from '../../terminal/printable.ts'
import { outputLines } from './output-lines.ts'

/** Failed situations whose output is printed. Report files have all. */
const mostOutputs = 3
const widest = 100

/** A reason, and the situations in which the client failed for it. */
interface Shared {
  readonly reason: Reason
  readonly names: readonly string[]
}

/** Why the client failed: each reason once, with its remedy, and the output of the first failed runs. */
export function failureLines(
  verdicts: readonly SituationVerdict[],
  paint: Paint,
  columns: number = widest,
): readonly string[] {
  const failing = verdicts.filter(isFailing)
  const width = Math.max(20, Math.min(widest, columns) - 2)
  return [
    ...shareReasons(failing).flatMap(shared => ['', ...reasonLines(shared, paint, width)]),
    ...failing
      .filter(({ output }) => output.trim() !== '')
      .slice(0, mostOutputs)
      .flatMap(({ name, output }) => [
        '',
        `The end of the output in ${paint('bold', printable(name))}:`,
        ...outputLines(output, paint),
      ]),
  ]
}

function shareReasons(failing: readonly SituationVerdict[]): readonly Shared[] {
  const all = failing.flatMap(({ name, reasons }) => reasons.map(reason => ({ name, reason })))
  const ids = new Set(sortReasons(all.map(({ reason }) => reason)).map(({ id }) => id))
  return [...ids].flatMap(id => {
    const same = all.filter(({ reason }) => reason.id === id)
    return same.slice(0, 1).map(({ reason }) => ({ reason, names: same.map(({ name }) => name) }))
  })
}

function reasonLines({ reason, names }: Shared, paint: Paint, width: number): readonly string[] {
  const { id, title, remedy } = reason
  const wrapped = (text: string) => wrap(printable(text), width).map(line => `  ${line}`)
  const [first = '', ...others] = names
  const where = others.length === 0 ? first : `${first}, and ${others.length} more: ${others.join(', ')}`
  return [
    paint('red', `✕ ${printable(id)}`),
    ...wrapped(`${title} (${where})`),
    ...wrapped(remedy).map(line => paint('dim', line)),
  ]
}
