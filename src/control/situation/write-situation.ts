import { Document } from 'yaml'
import type { ScenarioFile } from '../scenario/file.ts'
import { writeSteps } from '../scenario/show.ts'

/** A situation as a scenario file. `about`: the comment at its top. */
export function writeSituation(file: ScenarioFile, about: string): string {
  const document = new Document(file)
  document.commentBefore = ` ${about}`
  return writeSteps(document)
}
