import { formatCount } from '../../../base/text/quantities.ts'
import { type Paint, printable } from '../../terminal/text.ts'

/** Lines of output to print of one situation. Report files have more. */
const usualLines = 8

export function outputLines(output: string, paint: Paint, most = usualLines): readonly string[] {
  const lines = output.replace(/\r\n?/g, '\n').trimEnd().split('\n')
  if (lines.length === 1 && lines[0] === '') return [paint('dim', '  It wrote nothing.')]
  const left = lines.length - most
  return [
    ...(left > 0 ? [paint('dim', `  … ${formatCount(left, 'earlier line')}`)] : []),
    ...lines.slice(-most).map(line => `  ${paint('dim', '│')} ${printable(line)}`.trimEnd()),
  ]
}
