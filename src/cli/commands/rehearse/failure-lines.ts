import type { Certificate } from '../../../judges/rehearsal/certificate/certificate.ts'
import { isFailing } from '../../../judges/rehearsal/verdict.ts'
import { openLists } from '../../../judges/rehearsal/verdict-texts.ts'
import type { Finding } from '../../../judges/report/finding.ts'
import type { Paint } from '../../terminal/paint.ts'
import { printable, wrap } from '../../terminal/printable.ts'
import { outputLines } from './output-lines.ts'

/** Failed situations whose output is printed. Report files have all. */
const mostOutputs = 3
const widest = 100

/** What was not met or not judged, what to fix, and the output of the first failed runs. What the baseline has is no news. */
export function failureLines(
  { remedies, situations }: Certificate,
  paint: Paint,
  columns: number = widest,
): readonly string[] {
  const width = Math.max(20, Math.min(widest, columns) - 2)
  return [
    ...openLists(situations).flatMap(({ title, lines }) => [
      '',
      title,
      ...lines.flatMap(text => wrap(printable(text), width).map(line => paint('dim', `  ${line}`))),
    ]),
    ...remedies.filter(({ expected }) => !expected).flatMap(one => ['', ...remedyLines(one, paint, width)]),
    ...situations
      .filter(verdict => isFailing(verdict) && verdict.output.trim() !== '')
      .slice(0, mostOutputs)
      .flatMap(({ name, output }) => [
        '',
        `The end of the output in ${paint('bold', printable(name))}:`,
        ...outputLines(output, paint),
      ]),
  ]
}

/** Its evidence names the situations. */
function remedyLines(
  { id, remedy, count, evidence }: Finding,
  paint: Paint,
  width: number,
): readonly string[] {
  const wrapped = (text: string) => wrap(printable(text), width).map(line => `  ${line}`)
  const [first] = evidence
  const others = evidence.slice(1).map(({ what }) => what)
  const more = others.length === 0 ? '' : ` In ${count - 1} more: ${others.join(', ')}.`
  return [
    paint('red', `✕ ${printable(id)}`),
    ...(first === undefined ? [] : wrapped(`In ${first.what}: ${first.detail}${more}`)),
    ...wrapped(remedy).map(line => paint('dim', line)),
  ]
}
