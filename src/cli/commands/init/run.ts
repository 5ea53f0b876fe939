import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainFileError, readText } from '../../../doors/disk/read-text.ts'
import { fixtureTexts } from '../../../generated/fixture-texts.ts'
import type { Run } from '../../arguments/command.ts'
import type { ValuesOf } from '../../arguments/flag.ts'
import { refuseUsage } from '../../arguments/usage-error.ts'
import { exitCodes } from '../../terminal/io.ts'
import { createPaint } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import { type initFlags, usualDirectory } from './flags.ts'

export const run: Run<ValuesOf<typeof initFlags>> = async ({ values, complaints, words, io }) => {
  const [directory = usualDirectory] = words
  const schema = schemaOf(directory)
  const files = new Map([
    ['scenario.yaml', scenarioText(schema)],
    ...(schema === `./${schemaFile}` ? [[schemaFile, await schemaText()] as const] : []),
    ...Object.entries(fixtureTexts).map(([name, text]) => [`fixtures/${name}`, text] as const),
  ])
  const there = [...files.keys()].map(file => join(directory, file)).filter(file => existsSync(file))
  const all = [
    ...complaints,
    ...(values.force ? [] : there.map(file => `${file} already exists: --force replaces it`)),
  ]
  if (all.length > 0) return refuseUsage(all, io)
  const paint = createPaint(io.stdout)
  for (const [file, text] of files) {
    const path = join(directory, file)
    try {
      await makeDirectory(dirname(path))
      await writeFile(path, text)
    } catch (error) {
      io.stderr.write(`${path} cannot be written (${explainFileError(error)})\n`)
      return exitCodes.wrongUsage
    }
    io.stdout.write(`${paint('green', there.includes(path) ? 'replaced' : 'wrote')} ${printable(path)}\n`)
  }
  const [scenario, fixtures] = [join(directory, 'scenario.yaml'), join(directory, 'fixtures')].map(printable)
  io.stdout.write(`
Serve it: pet-mock --scenario ${scenario} --fixtures ${fixtures}
Play it:  pet-mock scenarios play ${scenario} --fixtures ${fixtures}
`)
  return exitCodes.fine
}

/** Node's `recursive` option never returns if the parent exists and the directory cannot be made, as in /proc. */
async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return
  await makeDirectory(dirname(path))
  await mkdir(path)
}

const schemaFile = 'scenario.schema.json'

/** The path of the schema for editors: in node_modules, or a copy beside the scenario. */
function schemaOf(directory: string): string {
  const installed = resolve('node_modules/pet-mock/schemas', schemaFile)
  if (!existsSync(installed)) return `./${schemaFile}`
  return relative(resolve(directory), installed).replaceAll('\\', '/')
}

/** The schema of this pet-mock, from the nearest directory above that has it. */
async function schemaText(): Promise<string> {
  for (let at = new URL('.', import.meta.url); ; at = new URL('..', at)) {
    const file = new URL(`schemas/${schemaFile}`, at)
    if (existsSync(file)) return await readText(fileURLToPath(file))
    if (at.pathname === '/')
      throw new Error(`this installation of pet-mock is incomplete: it has no schemas/${schemaFile}`)
  }
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
