/*
 * Turns fixtures/, scenarios/ and openapi.yaml into plain values (src/generated/), so that a start needs no YAML reader.
 * Writes the schemas of scenario files, of pets.yaml and of the project file, and the generated tables of docs/. Run by `npm run generate`; a complaint stops it.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { faker } from '@faker-js/faker/locale/en'
import type { JsonObject } from '../../src/base/json/value.ts'
import { formatComplaint, type Reading } from '../../src/control/files/complaint.ts'
import { readDocument } from '../../src/control/files/document.ts'
import type { Fixtures } from '../../src/control/fixtures/fixtures.ts'
import { readFixtures } from '../../src/control/fixtures/read.ts'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { readScenario } from '../../src/control/scenario/read/read.ts'
import { scenarioJsonSchema } from '../../src/control/scenario/settings/scenario-file.ts'
import { contractExamples } from './contract-examples.ts'
import { conformancePage } from './fidelity.ts'
import { literal } from './literal.ts'
import { petsJsonSchema } from './pets-schema.ts'
import { planeTypes } from './plane-types.ts'
import { withScenarioFields } from './scenario-page.ts'
import { scenarioTypes } from './scenario-types.ts'

const nothing: Fixtures = { pets: [], keys: {}, categories: [], orders: [] }

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const fixtures = orStop(await readFixtures('fixtures', await textsIn('fixtures'), nothing))
await write(
  'src/generated/pet-names.ts',
  `export const petNames: readonly string[] = ${literal(petNames())}\n`,
)
await writeValue('fixtures', 'fixtures', fixtures)
const style = await readFile('src/judges/report/page.css', 'utf8')
await writeValue('report-style', 'reportStyle', style.replace(/\/\*.*?\*\/|\s*\n\s*/gs, ''))
await write('src/generated/scenario-fields.ts', scenarioTypes())
const shipped = await scenarios()
const scenarioFiles = mapValues(shipped, ({ walkthrough: _steps, rehearsal: _expected, ...file }) => file)
const walkthroughs = mapValues(shipped, ({ walkthrough }) => walkthrough ?? [])
const rehearsals = mapValues(shipped, ({ rehearsal }) => rehearsal ?? {})
await writeValue('scenarios', 'scenarioFiles', scenarioFiles)
await writeValue('walkthroughs', 'walkthroughs', walkthroughs)
await writeValue('rehearsals', 'rehearsals', rehearsals)
await writeValue('fixture-texts', 'fixtureTexts', Object.fromEntries(await textsIn('fixtures')))
await write(
  'src/generated/scenario-name.ts',
  `/** The name of a shipped scenario. */
export type ShippedScenario =
${Object.keys(shipped)
  .map(name => `  | '${name}'\n`)
  .join('')}`,
)
const document = await contract()
await write(
  'src/generated/contract.ts',
  `import type { JsonObject } from '../base/json/value.ts'

export const contractDocument: JsonObject = ${literal(document)}
`,
)
await writeValue('contract-examples', 'contractExamples', contractExamples(document))
await write('docs/contributors/conformance.md', conformancePage(document))
// The routes and the commands import generated files.
const { withCommandsTable, withFindings, withRoutesTable, withToolsTable } = await import('./docs-tables.ts')
const { routeGroups } = await import('../../src/doors/admin/routes/routes.ts')
await write('docs/admin.md', withRoutesTable(await readFile('docs/admin.md', 'utf8'), routeGroups))
await write('src/generated/plane-operations.ts', planeTypes(routeGroups, Object.keys(fixtures.keys)))
await write('docs/findings.md', withFindings(await readFile('docs/findings.md', 'utf8')))
const { commands } = await import('../../src/cli/commands.ts')
await write('docs/commands.md', withCommandsTable(await readFile('docs/commands.md', 'utf8'), commands))
const { tools } = await import('../../src/cli/commands/mcp/tools.ts')
await write('docs/agents.md', withToolsTable(await readFile('docs/agents.md', 'utf8'), tools))
await write('docs/scenarios.md', withScenarioFields(await readFile('docs/scenarios.md', 'utf8')))
const { withPublicWords } = await import('./public-words.ts')
await write('docs/stability.md', withPublicWords(await readFile('docs/stability.md', 'utf8')))
await write('schemas/scenario.schema.json', `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`)
await write('schemas/pets.schema.json', `${JSON.stringify(petsJsonSchema(), null, 2)}\n`)
const { projectJsonSchema } = await import('./project-schema.ts')
await write('schemas/project.schema.json', `${JSON.stringify(projectJsonSchema(), null, 2)}\n`)

/** openapi.yaml, as a plain value: whoever judges by it needs no YAML reader. */
async function contract(): Promise<JsonObject> {
  const { value } = orStop(await readDocument('openapi.yaml', await readFile('openapi.yaml', 'utf8')))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('openapi.yaml is no map')
  return value as JsonObject
}

/** The English locale's names of pets, in its order. */
function petNames(): readonly string[] {
  const names = faker.rawDefinitions.animal?.pet_name
  if (!names?.length) throw new Error('This version of @faker-js/faker has no pet names')
  return names
}

/** Every shipped scenario, merged: one that extends another is read as a file that names a file. */
async function scenarios(): Promise<Readonly<Record<string, ScenarioFile>>> {
  const readText = (path: string) => readFile(path.endsWith('.yaml') ? path : `${path}.yaml`, 'utf8')
  const names = (await readdir('scenarios')).map(file => basename(file, '.yaml')).sort()
  const files = names.map(async name => {
    const reading = await readScenario(`scenarios/${name}.yaml`, { readText, fixtures, shipped: new Map() })
    return [name, orStop(reading)] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

function mapValues<T>(files: Readonly<Record<string, T>>, map: (file: T) => unknown): object {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, map(file)]))
}

async function textsIn(directory: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(directory)).map(
    async file => [file, await readFile(`${directory}/${file}`, 'utf8')] as const,
  )
  return new Map(await Promise.all(files))
}

function orStop<T>(reading: Reading<T>): T {
  if (reading.ok) return reading.value
  process.stderr.write(`${reading.complaints.map(formatComplaint).join('\n')}\n`)
  process.exit(2)
}

async function writeValue(file: string, name: string, value: unknown): Promise<void> {
  await write(`src/generated/${file}.ts`, `export const ${name} = ${literal(value)} as const\n`)
}

/** Leaves a file alone that has the text already: a watcher would take it for changed. */
async function write(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before === text) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
