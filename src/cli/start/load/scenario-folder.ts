import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fixtureOf } from '../../../control/fixtures/read.ts'

/** The folder that `pet-mock init` writes. */
const usualFolder = 'pet-mock'

/** More than anybody wants to choose from. */
const mostFiles = 100

/** The paths of the YAML and JSON files of a folder that may be scenarios. Empty if the folder cannot be read. */
export function listScenarioFiles(folder: string = usualFolder, most = mostFiles): readonly string[] {
  return namesIn(folder)
    .filter(name => /\.(?:ya?ml|json)$/i.test(name) && !/\.schema\.json$/i.test(name))
    .filter(name => fixtureOf(name) === undefined)
    .toSorted()
    .slice(0, most)
    .map(name => (folder === '.' ? name : join(folder, name)))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
