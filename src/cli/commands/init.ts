import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { makeFolder } from '../../library/files/folders.ts'
import { explainFileError, readOwnText } from '../../library/files/read-file.ts'
import { command, type Run, refuseUsage } from '../arguments/command.ts'
import { flagGroup, type ValuesOf } from '../arguments/flag.ts'
import { projectFile } from '../project/load-project.ts'
import { exitCodes } from '../terminal/io.ts'
import { program } from '../terminal/program.ts'
import { createPaint, printable } from '../terminal/text.ts'

const usualDirectory = 'pet-mock'

const initFlags = { force: flagGroup('Options:').toggle({ about: 'replace existing files' }) }

const scenarioSchema = 'scenario.schema.json'
const petsSchema = 'pets.schema.json'
const projectSchema = 'project.schema.json'

const run: Run<ValuesOf<typeof initFlags>> = async ({ values, complaints, words, io }) => {
  const { fixtureTexts } = await import('../../generated/fixture-texts.ts')
  const [directory = usualDirectory] = words
  const [scenario, fixtures] = [join(directory, 'scenario.yaml'), join(directory, 'fixtures')]
  const files = new Map([
    [scenario, scenarioText(schemaPath(scenarioSchema, directory, directory))],
    ...(await schemaCopy(scenarioSchema, directory)),
    ...(await schemaCopy(petsSchema, directory)),
    ...Object.entries(fixtureTexts).map(([name, text]) => [join(fixtures, name), text] as const),
  ])
  const hint = `# yaml-language-server: $schema=${schemaPath(petsSchema, fixtures, directory)}`
  files.set(join(fixtures, 'pets.yaml'), `${hint}\n${fixtureTexts['pets.yaml']}`)
  const there = values.force ? [] : [...files.keys()].filter(file => existsSync(file))
  const all = [...complaints, ...there.map(file => `${file} already exists: --force replaces it`)]
  if (all.length > 0) return refuseUsage(all, io)
  // A project has one, which may name other files: it is no mistake.
  const keepsProject = existsSync(projectFile) && !values.force
  if (!keepsProject) {
    for (const [path, copy] of await schemaCopy(projectSchema, directory)) files.set(path, copy)
    files.set(projectFile, projectText(schemaPath(projectSchema, '.', directory), { scenario, fixtures }))
  }
  const paint = createPaint(io.stdout)
  for (const [path, text] of files) {
    const verb = existsSync(path) ? 'replaced' : 'wrote'
    try {
      makeFolder(dirname(path))
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
Serve it: ${program}${keepsProject ? ` ${flags}` : ''}
Play it:  ${program} scenarios play ${printable(scenario)} --fixtures ${printable(fixtures)}
`)
  return exitCodes.fine
}

/** The path of a schema for editors, from `directory`: in node_modules, else its copy in `copies`. */
function schemaPath(file: string, directory: string, copies: string): string {
  const installed = resolve('node_modules/pet-mock/schemas', file)
  const target = existsSync(installed) ? installed : resolve(copies, file)
  const path = relative(resolve(directory), target).replaceAll('\\', '/')
  return path.startsWith('..') ? path : `./${path}`
}

/** A copy of a schema if none is installed. Its path, and its text from the nearest directory above that has it. */
async function schemaCopy(file: string, copies: string): Promise<readonly (readonly [string, string])[]> {
  if (existsSync(resolve('node_modules/pet-mock/schemas', file))) return []
  return [[join(copies, file), await readOwnText(`schemas/${file}`)]]
}

/** The project file. `paths` are relative to it. */
function projectText(schema: string, paths: Readonly<Record<'scenario' | 'fixtures', string>>): string {
  return `# yaml-language-server: $schema=${schema}
# The flags of pet-mock in this project. pet-mock --help lists all.
scenario: ${inYaml(paths.scenario)}
fixtures: ${inYaml(paths.fixtures)}
`
}

function inYaml(native: string): string {
  const path = native.split(sep).join('/')
  return /^[\w/][\w./-]*$/.test(path) ? path : JSON.stringify(path)
}

function scenarioText(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
title: My situation
description: Two calls are left in this minute. The third gets 429 until the window resets.

# The shipped scenario to start from: pet-mock scenarios list shows all.
extends: free-plan
key: demo-free
keys:
  demo-free: { used: { minute: 58, day: 300 } }
pets: { count: 30, gone: [13] }

# The steps of a client: pet-mock scenarios play runs and checks them.
walkthrough:
  - call: GET /v1/pets
    repeat: 2
    expect: { status: 200, headers: { X-RateLimit-Remaining: 0 } }
  - call: GET /v1/pets
    expect: { status: 429, headers: { Retry-After: 60 }, body: { code: rate_limit_exceeded } }
  - advance: 60s
  - call: POST /v1/pets
    body: { name: Rex, categoryId: 1, status: available }
    expect: { status: 201, body: { id: 31, name: Rex } }
`
}

export const init = command({
  name: 'init',
  words: '[DIR]',
  about: 'Writes a first scenario, fixtures and the project file.',
  flags: initFlags,
  examples: [
    ['$0 init', `into ${usualDirectory}/`],
    ['$0 init test/api', 'into another directory'],
  ],
  notes: [
    'It replaces existing files only with --force. Without it, an existing pet-mock.yaml stays as it is.',
  ],
  load: async () => ({ run }),
})
