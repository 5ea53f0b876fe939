import { Document } from 'yaml'
import { escapeInvisible } from '../../base/text/invisible.ts'
import { writeSteps } from '../../control/scenario/show.ts'
import { clip } from '../../service/call/echo.ts'
import type { Recording } from './record-scenario.ts'
import type { LeftOut } from './seen-call.ts'

const longestLine = 200

/** A recording as a file. Comments at the top say what it leaves out. */
export function recordingText({ file, leftOut, notes }: Recording): string {
  const comments = [...notes, ...(leftOut.length === 0 ? [] : ['Left out:', ...leftOutLines(leftOut)])]
  const text = writeSteps(new Document(file))
  return comments.map(line => `# ${line}\n`).join('') + text
}

/** A line for each reason: how often, and the first examples. */
export function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  return leftOut.map(({ reason, count, examples }) => {
    const shown =
      examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`
    return clip(escapeInvisible(`- ${count} × ${reason}${shown}`), longestLine)
  })
}
