import { Document, isCollection, isMap } from 'yaml'
import { escapeInvisible } from '../../base/text/invisible.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { clip } from '../../service/call/echo.ts'
import { type ConductId, conductChecks } from '../conduct/checks.ts'
import { timesOf } from './report.ts'
import type { Broken } from './search.ts'
import { type ClientCall, showSituation } from './show-situation.ts'

/** The start of every file that a search writes. */
export const searchMark = '# Found by pet-mock rehearse --search: '

const longestLine = 300

/** What was found, as a scenario. `again`: the command that repeats it. `calls`: those of a failed run. */
export async function breaksFile(
  broken: Broken,
  scenario: ScenarioFile,
  again: string,
  calls: readonly ClientCall[],
): Promise<string> {
  const { situation, failure } = broken
  const rehearsal = rehearsalOf(failure)
  const walkthrough = await showSituation(situation, scenario, calls)
  const comment = `${timesOf(broken)}. Again: ${again}`
  const document = new Document({ ...scenario, ...(rehearsal && { rehearsal }), walkthrough })
  // One line for each field and each step.
  if (isMap(document.contents))
    for (const { key, value } of document.contents.items) {
      if (!isCollection(value)) continue
      if (String(key) !== 'walkthrough') value.flow = true
      else for (const step of value.items) if (isCollection(step)) step.flow = true
    }
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: true })
  return `# ${escapeInvisible(clip(`${searchMark.slice(2)}${comment}`, longestLine))}\n${text}`
}

/** So that a rehearsal in this situation fails until the client is right. Findings that are errors fail it anyway. */
function rehearsalOf(failure: string): ScenarioFile['rehearsal'] {
  if (failure === 'hung' || failure.startsWith('exit code ')) return { expects: 'success' }
  const isWarning = conductChecks[failure as ConductId]?.severity === 'warning'
  return isWarning ? { conduct: { failOn: 'warning' } } : undefined
}
