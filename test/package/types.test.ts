import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createRunnerProject } from '../support/runner-project.ts'

/* The types as strict programs have them: installed, and resolved in either way. */
const project = createRunnerProject([
  '@playwright/test',
  '@types/node',
  'msw',
  'playwright',
  'playwright-core',
  'typescript',
  'undici-types',
  'vitest',
])

afterAll(project.remove)

/** A strict program of a user's; what must not compile is marked. */
const typed = `
import { createPetMock, type PetMock, PetMockError, type ScenarioFile, startPetMock } from 'pet-mock'
const scenario: ScenarioFile = { extends: 'free-plan', keys: { 'my-app': { plan: 'free', used: { minute: 59 } } } }
export const mock = createPetMock({ scenario })
export const status: Promise<number> = mock.fetch(mock.url).then(response => response.status)
export const started: Promise<PetMock> = startPetMock({ scenario: 'ban', port: 0 })
// @ts-expect-error no scenario has this name
createPetMock({ scenario: 'bann' })
// @ts-expect-error what is done at once reads no files
createPetMock({ scenario: './mine.yaml' })
// @ts-expect-error no scenario has this name, and it is no path
startPetMock({ scenario: 'bann' })
export const fromFile: Promise<PetMock> = startPetMock({ scenario: './mine.yaml' })
export const rehearse = async () => {
  const { at, scale } = await mock.clock.advance('60s')
  const [pet] = await mock.sandbox('worker-3').pets.list({ status: 'sold' })
  const [request] = await mock.requests.wait({ operation: 'listPets', status: '4xx' }, { timeout: '5s' })
  await mock.keys.ban(mock.key, { for: '90s' })
  await mock.rules.add({ match: { operation: 'createPet' }, then: { status: 503 } })
  await mock.clock.advance({ by: '1h30m' })
  // @ts-expect-error a duration has a unit
  await mock.clock.advance('60')
  const [finding] = (await mock.conduct()).findings
  if (finding?.id === 'early-retry') return finding.title
  // @ts-expect-error no finding has this id
  if (finding?.id === 'early-rety') return finding.title
  mock.handle({ method: 'GET', target: '/v1/pets', headers: { Authorization: 'Bearer demo-free' } })
  // @ts-expect-error a pet has no such status
  await mock.pets.add({ name: 'Rex', categoryId: 1, status: 'adopted' })
  // @ts-expect-error a filter has no such field
  await mock.requests.count({ verb: 'GET' })
  try {
    await mock.snapshot.load(await mock.snapshot.save())
  } catch (error) {
    if (error instanceof PetMockError && error.code === 'invalid_command') return error.message
  }
  return { at: at.length, scale: scale.toFixed(), id: pet?.id.toString(), left: request?.limit?.minute.remaining.toFixed() }
}
// @ts-expect-error a scenario has no such field
createPetMock({ scenario: { pet: {} } })
export const use = async () => {
  await using another = await startPetMock()
  return (await another.keys.list()).length
}
`

/** Nothing of the fixtures is \`any\`, which would let this compile. */
const typedFixtures = `
import { test as playwright } from 'pet-mock/playwright'
import { test as vitest } from 'pet-mock/vitest'
import setUp from 'pet-mock/global-setup'
export const tearDown: Promise<() => Promise<void>> = setUp()
vitest('a test', async ({ petMock, expect }) => {
  expect(await petMock.pets.list()).toHaveLength(100)
  // @ts-expect-error there is no such method
  petMock.clock.rewind()
})
vitest.extend({ petMockScenario: 'ban' })
playwright.use({ petMockScenario: 'ban', petMockAuthorization: false })
playwright('a test', async ({ page, petMock }) => {
  await page.goto(petMock.url)
  // @ts-expect-error there is no such method
  petMock.clock.rewind()
})
`

const typedForMsw = `
import { setupWorker } from 'msw/browser'
import { setupServer } from 'msw/node'
import { type PetMockHandlers, petMockHandlers } from 'pet-mock/msw'
const baseUrl = 'https://api.example.com/v1'
const handlers: PetMockHandlers = petMockHandlers({ baseUrl, scenario: 'ban', persist: true })
export const server = setupServer(...handlers)
export const worker = setupWorker(...handlers)
export const key: string = handlers.mock.key
// @ts-expect-error the base URL is needed
petMockHandlers({ scenario: 'ban' })
// @ts-expect-error no scenario has this name
petMockHandlers({ baseUrl, scenario: 'bann' })
// @ts-expect-error a handler is not just anything
handlers[0].nothing
`

/**
 * `AnyIn` is the places at which something is `any`, a few steps down; `None` is well only of none. What is the platform's
 * or a peer's is not ours to judge.
 */
const anyIn = `
type IsAny<T> = 0 extends 1 & T ? true : false
type Foreign = Request | Response | AbortSignal | URL | Uint8Array | Date | typeof Error | import('msw').HttpHandler
type AnyIn<T, At extends string, Steps extends 0[] = []> =
  IsAny<T> extends true ? At
  : Steps['length'] extends 6 ? never
  : T extends Foreign ? never
  : T extends Promise<infer V> ? AnyIn<V, At, Steps>
  : T extends readonly (infer E)[] ? AnyIn<E, \`\${At}[]\`, [...Steps, 0]>
  : T extends (...args: infer A) => infer R
    ? AnyIn<A, \`\${At}()\`, [...Steps, 0]> | AnyIn<R, \`\${At} =>\`, [...Steps, 0]>
  : T extends object ? { [K in keyof T & string]-?: AnyIn<T[K], \`\${At}.\${K}\`, [...Steps, 0]> }[keyof T & string]
  : never
type None<T extends never> = T
`

/** What is to be filled in to have a type of it. */
const generic = new Map([['ScenarioControls', '<string>']])

/** A program that judges everything that an entry exports. What is a peer's own with fixtures added shall only not be any. */
function judgeAll(entry: string): readonly string[] {
  const installed = join(project.path, 'node_modules/pet-mock')
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const text = readFileSync(join(installed, exports[entry].import.types), 'utf8')
  const module = `import('${entry.replace('.', 'pet-mock')}')`
  const listed = [...text.matchAll(/^export (type )?\{([^}]*)\}(?: from ['"]\.[^;]*)?;/gm)].flatMap(
    ([, type = '', names = '']) => names.split(',').map(name => type + name.trim()),
  )
  const functions = listed.filter(name => /^[a-z]\w*$/.test(name))
  const types = listed.flatMap(name => /^(?:type )?([A-Z]\w*)$/.exec(name)?.[1] ?? [])
  const interfaces = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)
  const constants = [...text.matchAll(/^export declare const (\w+)/gm)].map(([, name = '']) => name)
  const isDefault = text.includes('export default')
  return [
    ...[...types, ...interfaces].map(name => `AnyIn<${module}.${name}${generic.get(name) ?? ''}, '${name}'>`),
    ...[...functions, ...(isDefault ? ['default'] : [])].map(
      name => `AnyIn<typeof ${module}.${name}, '${name}'>`,
    ),
    ...constants.map(name => `IsAny<typeof ${module}.${name}> extends true ? '${name}' : never`),
  ].map((judged, index) => `export type Judged${index} = None<${judged}>`)
}

const resolutions = ['NodeNext', 'Bundler', 'Node16 in CommonJS']
const strict = { lib: ['ES2023', 'ESNext.Disposable'], skipLibCheck: false }
// The peers' own types need the DOM, and are not ours to judge.
const besidePeers = { lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'], skipLibCheck: true }

function resolutionOptions(resolution: string): object {
  if (resolution === 'Bundler') return { module: 'ESNext', moduleResolution: resolution }
  const module = resolution === 'NodeNext' ? resolution : 'Node16'
  return { module, moduleResolution: module }
}

/** What the compiler says of a program of a user's. */
async function compile(text: string, moduleResolution: string, options: object): Promise<string> {
  const file = moduleResolution === 'Node16 in CommonJS' ? 'typed.cts' : 'typed.mts'
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    ...resolutionOptions(moduleResolution),
    types: ['node'],
    ...options,
  }
  project.write({
    [file]: text,
    'tsconfig.json': JSON.stringify({ compilerOptions, files: [file] }),
  })
  return (await project.run('typescript/bin/tsc', ['--pretty', 'false'])).output
}

describe.each(resolutions)('as %s resolves them', resolution => {
  it('the library has types', async () => {
    expect(await compile(typed, resolution, strict)).toBe('')
  })

  it('the fixtures have types', async () => {
    expect(await compile(typedFixtures, resolution, besidePeers)).toBe('')
  })

  it('the handlers for MSW have types', async () => {
    // MSW has no types of msw/browser for CommonJS.
    const isCommonJs = resolution === 'Node16 in CommonJS'
    const program = isCommonJs
      ? typedForMsw.replace(/^.*(?:msw\/browser|setupWorker).*\n/gm, '')
      : typedForMsw
    expect(await compile(program, resolution, besidePeers)).toBe('')
  })

  it.each([
    ['.', 25],
    ['./vitest', 2],
    ['./playwright', 3],
    ['./global-setup', 1],
    ['./msw', 3],
  ] as const)('nothing of %s is any', async (entry, atLeast) => {
    const judged = judgeAll(entry)
    expect(judged.length).toBeGreaterThanOrEqual(atLeast)
    expect(await compile([anyIn, ...judged].join('\n'), resolution, besidePeers)).toBe('')
  })
})

it('what is any would be found', async () => {
  const program = `${anyIn}
    interface Loose { readonly pets: { readonly list: () => Promise<readonly { readonly name: any }[]> } }
    export type Judged = None<AnyIn<Loose, 'Loose'>>`
  expect(await compile(program, 'Bundler', besidePeers)).toContain('"Loose.pets.list =>[].name"')
})
