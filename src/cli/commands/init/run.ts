import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import { fixtureTexts } from '../../../generated/fixture-texts.ts'
import type { Run } from '../../arguments/command.ts'
import type { ValuesOf } from '../../arguments/flag.ts'
import { refuseUsage } from '../../arguments/usage-error.ts'
import { projectFile } from '../../project/find-project.ts'
import { exitCodes } from '../../terminal/io.ts'
import { createPaint } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import { type initFlags, usualDirectory } from './flags.ts'
import { schemaCopy, schemaPath } from './schemas.ts'
import { projectText, scenarioText } from './texts.ts'

const scenarioSchema = 'scenario.schema.json'
const projectSchema = 'project.schema.json'

export const run: Run<ValuesOf<typeof initFlags>> = async ({ values, complaints, words, io }) => {
  const [directory = usualDirectory] = words
  const [scenario, fixtures] = [join(directory, 'scenario.yaml'), join(directory, 'fixtures')]
  const files = new Map([
    [scenario, scenarioText(schemaPath(scenarioSchema, directory, directory))],
    ...(await schemaCopy(scenarioSchema, directory)),
    ...Object.entries(fixtureTexts).map(([name, text]) => [join(fixtures, name), text] as const),
  ])
  const there = [...files.keys()].filter(file => existsSync(file))
  const all = [
    ...complaints,
    ...(values.force ? [] : there.map(file => `${file} already exists: --force replaces it`)),
  ]
  if (all.length > 0) return refuseUsage(all, io)
  // A project has one, which may name other files: it is no mistake.
  const keepsProject = existsSync(projectFile) && !values.force
  if (!keepsProject) {
    const text = projectText(schemaPath(projectSchema, '.', directory), { scenario, fixtures })
    for (const [path, copy] of await schemaCopy(projectSchema, directory)) files.set(path, copy)
    files.set(projectFile, text)
  }
  const paint = createPaint(io.stdout)
  for (const [path, text] of files) {
    const verb = existsSync(path) ? 'replaced' : 'wrote'
    try {
      await makeDirectory(dirname(path))
      await writeFile(path, text)
    } catch (error) {
      io.stderr.write(`${path} cannot be written (${explainFileError(error)})\n`)
      return exitCodes.wrongUsage
    }
    io.stdout.write(`${paint('green', verb)} ${printable(path)}\n`)
  }
  const flags = `--scenario ${printable(scenario)} --fixtures ${printable(fixtures)}`
  if (keepsProject) io.stdout.write(`${paint('yellow', 'kept')} ${projectFile}\n`)
  io.stdout.write(`
Serve it: npx pet-mock${keepsProject ? ` ${flags}` : ''}
Play it:  npx pet-mock scenarios play ${printable(scenario)} --fixtures ${printable(fixtures)}
`)
  return exitCodes.fine
}

/** Node's `recursive` option never returns if the parent exists and the directory cannot be made, as in /proc. */
async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return
  await makeDirectory(dirname(path))
  await mkdir(path)
}
