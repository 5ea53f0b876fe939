import { Document, isCollection, isMap } from 'yaml'
import { escapeInvisible } from '../../base/text/invisible.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'

/** A scenario with one line for each field and each step, below its comments. */
export function situationText(file: ScenarioFile, comments: readonly string[]): string {
  const document = new Document(file)
  if (isMap(document.contents))
    for (const { key, value } of document.contents.items) {
      if (!isCollection(value)) continue
      if (String(key) !== 'walkthrough') value.flow = true
      else for (const step of value.items) if (isCollection(step)) step.flow = true
    }
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: true })
  return comments.map(line => `# ${escapeInvisible(line)}\n`).join('') + text
}
