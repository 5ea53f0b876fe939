import { formatCount } from '../../base/text/quantities.ts'
import type { Step } from '../../control/scenario/file.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { Difference } from '../../judges/walkthrough/compare.ts'
import { describeStep } from '../../judges/walkthrough/describe-step.ts'
import type { PlayedStep } from '../../judges/walkthrough/play.ts'
import type { Paint } from '../terminal/paint.ts'
import { printable, wrap } from '../terminal/printable.ts'
import { listFacts } from '../terminal/quantities.ts'
import { cell, tableLines, widthsOf } from '../terminal/table.ts'

const margin = ' '.repeat(8)
const callWidth = 44

export function createPlayLines(paint: Paint, columns: number) {
  const width = Math.max(40, Math.min(columns, 110))
  const dim = (text: string) =>
    wrap(printable(text), width - margin.length).map(line => `${margin}${paint('dim', line)}`)
  return {
    title: ({ name, title, description }: Scenario, where: string) => {
      const head =
        title === name
          ? printable(name)
          : `${paint('bold', printable(title))} ${paint('dim', `(${printable(name)})`)}`
      const about = wrap(printable(description ?? ''), width - 2).map(line => `  ${paint('dim', line)}`)
      return `${['', `  ${head}`, ...about, `  ${paint('dim', where)}`, ''].join('\n')}\n`
    },
    step: (number: number, played: PlayedStep) => {
      const { step, outcome, differences, unjudged, impossible } = played
      const note = 'note' in step && step.note !== undefined ? dim(step.note) : []
      const what = printable(describeStep(step))
      if (what === '') return `${note.join('\n')}\n`
      const mark = markOf(played, paint)
      const line = `${`${number}`.padStart(4)}  ${mark} ${what.padEnd(callWidth)}  ${outcome}`.trimEnd()
      const after = [...differenceTable(differences, width, paint), ...unjudged.flatMap(dim)]
      if (impossible !== undefined)
        after.push(margin + paint('red', `cannot be played: ${printable(impossible)}`))
      return `${[...note, line, ...after].join('\n')}\n`
    },
    end: (steps: readonly Step[], played: readonly PlayedStep[]) => {
      const calls = played.reduce((sum, step) => sum + step.calls, 0)
      const differing = played.filter(({ differences }) => differences.length > 0).length
      const whole = played.filter(({ impossible }) => impossible === undefined).length
      const left = steps.length - whole
      const done = left === 0 ? '' : `${whole} of `
      const findings = listFacts([
        differing === 0 ? '' : `${formatCount(differing, 'step')} ${differing === 1 ? 'differs' : 'differ'}`,
        left === 0 ? '' : `${formatCount(left, 'step')} not played`,
      ])
      const open = unjudgedSteps(played)
      const passed = open === '' ? paint('green', 'passed') : paint('yellow', `passed, ${open}`)
      const verdict = findings === '' ? passed : paint('red', listFacts([findings, open]))
      return `\n  ${done}${formatCount(steps.length, 'step')}, ${formatCount(calls, 'call')}: ${verdict}\n\n`
    },
  }
}

/** `2 steps not wholly judged`; empty if all were. */
export function unjudgedSteps(played: readonly PlayedStep[]): string {
  const open = played.filter(({ unjudged }) => unjudged.length > 0).length
  return open === 0 ? '' : `${formatCount(open, 'step')} not wholly judged`
}

function markOf({ step, differences, unjudged, impossible }: PlayedStep, paint: Paint): string {
  if (differences.length > 0 || impossible !== undefined) return paint('red', '✗')
  if (unjudged.length > 0) return paint('yellow', '–')
  return 'call' in step && step.expect !== undefined ? paint('green', '✓') : paint('dim', '·')
}

/** A table of differences, cut to the width of the terminal. */
function differenceTable(differences: readonly Difference[], width: number, paint: Paint): readonly string[] {
  if (differences.length === 0) return []
  const head = ['', 'expected', 'got'].map(title => cell(title, { style: 'dim' }))
  const rows = differences.map(({ what, expected, got }) => [
    cell(what),
    cell(expected, { style: 'green' }),
    cell(got, { style: 'red' }),
  ])
  const [nameWidth = 0, ...widths] = widthsOf([head, ...rows])
  const most = Math.max(12, Math.floor((width - margin.length - nameWidth - 6) / 2))
  const shown = [nameWidth, ...widths.map(width => Math.min(width, most))]
  return tableLines([head, ...rows], paint, shown).map(line => margin + line)
}
