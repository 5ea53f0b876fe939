import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { installPackage } from '../support/package.ts'

/* The library as programs have it: installed, and imported by its name. */
const { app, remove } = installPackage()
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

afterAll(remove)

function run(file: string, text: string): string {
  writeFileSync(join(app, file), text)
  return execFileSync(process.execPath, [file], { cwd: app, encoding: 'utf8' })
}

const calls = `
  const list = await mock.fetch(mock.url + '/pets?limit=2', { headers: { Authorization: 'Bearer ' + mock.key } })
  console.log(list.status, (await list.json()).length)`

it('is imported', () => {
  const program = `import { createPetMock } from 'pet-mock'
  const mock = createPetMock({ scenario: 'free-plan' })${calls}`
  expect(run('program.mjs', program)).toBe('200 2\n')
})

it('is required, by programs that are no modules', () => {
  const program = `const { createPetMock } = require('pet-mock')
  const mock = createPetMock()
  ;(async () => {${calls}})()`
  expect(run('program.cjs', program)).toBe('200 2\n')
})

it('answers through MSW, which is the user’s own', () => {
  const program = `import { setupServer } from 'msw/node'
  import { petMockHandlers } from 'pet-mock/msw'
  const handlers = petMockHandlers({ baseUrl: 'https://api.example.com/v1', scenario: 'free-plan' })
  setupServer(...handlers).listen()
  const mock = { ...handlers.mock, fetch: (...args) => fetch(...args) }${calls}`
  link('msw')
  expect(run('msw.mjs', program)).toBe('200 2\n')
})

it('listens, and leaves nothing behind that would keep a program alive', () => {
  const program = `import { startPetMock } from 'pet-mock'
  const mock = await startPetMock({ scenario: 'ban' })
  const { status } = await fetch(mock.url + '/pets', { headers: { Authorization: 'Bearer ' + mock.key } })
  await mock.close()
  console.log(status)`
  expect(run('listens.mjs', program)).toBe('429\n')
})

const shown = ['README.md', 'docs/msw.md'].flatMap(page => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, program = '']) => program)
})

it.each(shown)('does what README and docs/msw.md show: %s', text => {
  expect(shown).toHaveLength(4)
  const [, printed] = /console\.log\(.*\/\/ (.*)$/m.exec(text) ?? []
  expect(run('readme.mjs', text)).toBe(`${printed}\n`)
})

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
  await mock.apiKeys.ban(mock.key, { for: '90s' })
  await mock.rules.add({ match: { operation: 'createPet' }, then: { status: 503 } })
  // @ts-expect-error a pet has no such status
  await mock.pets.add({ name: 'Rex', categoryId: 1, status: 'adopted' })
  // @ts-expect-error a filter has no such field
  await mock.requests.count({ verb: 'GET' })
  try {
    await mock.restore(await mock.snapshot())
  } catch (error) {
    if (error instanceof PetMockError && error.code === 'invalid_command') return error.message
  }
  return { at: at.length, scale: scale.toFixed(), id: pet?.id.toString(), left: request?.limit?.minute.remaining.toFixed() }
}
// @ts-expect-error a scenario has no such field
createPetMock({ scenario: { pet: {} } })
export const use = async () => {
  await using another = await startPetMock()
  return another.keys['demo-free']?.length
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

const resolutions = ['NodeNext', 'Bundler']

it.each(resolutions)('has types, as %s resolves them', { timeout: 60_000 }, resolution => {
  link('@types/node', 'undici-types')
  const options = { lib: ['ES2023', 'ESNext.Disposable'], skipLibCheck: false }
  expect(compile(typed, resolution, options)).toBe('')
})

it.each(resolutions)('its fixtures have types, as %s resolves them', { timeout: 60_000 }, resolution => {
  link('@types/node', 'undici-types', 'vitest', '@playwright/test')
  // The runners' own types need the DOM, and are not ours to judge.
  const options = { lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'], skipLibCheck: true }
  expect(compile(typedFixtures, resolution, options)).toBe('')
})

it.each(resolutions)(
  'its handlers for MSW have types, as %s resolves them',
  { timeout: 60_000 },
  resolution => {
    link('@types/node', 'undici-types', 'msw')
    // MSW's own types need the DOM, and are not ours to judge.
    const options = { lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'], skipLibCheck: true }
    expect(compile(typedForMsw, resolution, options)).toBe('')
  },
)

function link(...names: readonly string[]): void {
  for (const name of names) {
    const path = join(app, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) symlinkSync(join(modules, name), path)
  }
}

/** What the compiler says of a program of a user's. */
function compile(text: string, moduleResolution: string, options: object): string {
  writeFileSync(join(app, 'typed.mts'), text)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    module: moduleResolution === 'NodeNext' ? 'NodeNext' : 'ESNext',
    moduleResolution,
    types: ['node'],
    ...options,
  }
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.mts'] }))
  const tsc = join(modules, 'typescript/bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [tsc], { cwd: app, encoding: 'utf8' })
  return stdout + stderr
}
