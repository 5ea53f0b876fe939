import { formatResult } from '../../../judges/rehearsal/rehearsal-report.ts'
import { markOf, type SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import { type Mark, marks } from '../../../judges/report/report.ts'
import { clip } from '../../../service/call/echo.ts'
import { markStyles } from '../../reports/write-reports.ts'
import { createFooter, type FooterLine } from '../../terminal/footer.ts'
import type { Io } from '../../terminal/io.ts'
import { createPaint, type Paint, printable, type Style } from '../../terminal/text.ts'

type Stage = Mark | 'waiting' | 'running'

function signOf(stage: Stage): { readonly sign: string; readonly style: Style } {
  if (stage === 'waiting') return { sign: '·', style: 'dim' }
  if (stage === 'running') return { sign: '▸', style: 'cyan' }
  return { sign: marks[stage][0], style: markStyles[stage] }
}

/** A terminal shows a grid of all situations, which changes in place. Other streams get a line for each finished situation. */
export function createProgress(io: Io, names: readonly string[]) {
  const isTerminal = io.stdout.columns !== undefined && io.env.TERM !== 'dumb'
  return isTerminal ? createGrid(io, names) : createLines(io, names.length)
}

function createLines(io: Io, most: number): ReturnType<typeof createGrid> {
  let ended = 0
  return {
    begin: () => {},
    end: verdict => {
      ended += 1
      io.stderr.write(`[${ended}/${most}] ${verdictLine(verdict)}\n`)
    },
    close: () => {},
    io,
  }
}

function verdictLine(verdict: SituationVerdict): string {
  const { name, result, unmet, reasons } = verdict
  const why = result === 'not-met' ? (unmet ?? '') : reasons.map(({ id }) => id).join(', ')
  const text = `${signOf(markOf(verdict)).sign} ${name}: ${formatResult(verdict)}`
  return printable(why === '' ? text : `${text} (${why})`)
}

/** How often the time is updated, in milliseconds. */
const tickMs = 1_000

function createGrid(io: Io, names: readonly string[]) {
  const footer = createFooter(io)
  const paint = createPaint(io.stdout)
  const shown = new Map<string, Stage>(names.map(name => [name, 'waiting']))
  const startedAt = performance.now()
  const draw = () => {
    const seconds = Math.floor((performance.now() - startedAt) / 1_000)
    footer.show([...gridLines(shown, footer.columns(), paint), summary(shown, seconds)])
  }
  const timer = setInterval(draw, tickMs).unref()
  draw()
  return {
    begin: (name: string) => {
      // The calm run may be of a situation that is not rehearsed.
      if (!shown.has(name)) return
      shown.set(name, 'running')
      draw()
    },
    end: (verdict: SituationVerdict) => {
      shown.set(verdict.name, markOf(verdict))
      draw()
    },
    close: () => {
      clearInterval(timer)
      footer.show([])
    },
    io: footer.io,
  }
}

function summary(shown: ReadonlyMap<string, Stage>, seconds: number): FooterLine {
  const count = (...wanted: readonly Stage[]) =>
    [...shown.values()].filter(mark => wanted.includes(mark)).length
  const failed = count('failed', 'flaky')
  const ended = count('passed', 'not-met', 'known', 'allowed', 'unjudged') + failed
  const text = `${ended} of ${shown.size} situations${failed === 0 ? '' : `, ${failed} failed`}, ${seconds} s`
  return { text, width: text.length }
}

/** A taller grid would leave the screen, and could not be changed. */
const mostLines = 16
const widestName = 32

function gridLines(shown: ReadonlyMap<string, Stage>, columns: number, paint: Paint): readonly FooterLine[] {
  const width =
    Math.min(widestName, Math.max(...Array.from(shown.keys(), name => printable(name).length))) + 2
  const perLine = Math.max(1, Math.floor((columns + 1) / (width + 2)))
  const isTooTall = shown.size > perLine * mostLines
  const cells = [...shown].filter(([, mark]) => !isTooTall || mark === 'running')
  return Array.from({ length: Math.ceil(cells.length / perLine) }, (_, row) => {
    const line = cells.slice(row * perLine, (row + 1) * perLine)
    return {
      text: line.map(([name, mark]) => cellOf(name, mark, width, paint)).join('  '),
      width: line.length * (width + 2) - 2,
    }
  })
}

function cellOf(name: string, mark: Stage, width: number, paint: Paint): string {
  const { sign, style } = signOf(mark)
  const text = clip(printable(name), width - 2).padEnd(width - 2)
  return `${paint(style, sign)} ${mark === 'waiting' ? paint('dim', text) : text}`
}
