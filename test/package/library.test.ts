import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

it('listens, and leaves nothing behind that would keep a program alive', () => {
  const program = `import { startPetMock } from 'pet-mock'
  const mock = await startPetMock({ scenario: 'ban' })
  const { status } = await fetch(mock.url + '/pets', { headers: { Authorization: 'Bearer ' + mock.key } })
  await mock.close()
  console.log(status)`
  expect(run('listens.mjs', program)).toBe('429\n')
})

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const shown = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)

it.each(shown)('does what the README shows: %s', text => {
  expect(shown).toHaveLength(2)
  const [, printed] = /console\.log\(.*\/\/ (.*)$/m.exec(text) ?? []
  expect(run('readme.mjs', text)).toBe(`${printed}\n`)
})

/** A strict program of a user's; what must not compile is marked. */
const typed = `
import { createPetMock, type PetMock, type ScenarioFile, startPetMock } from 'pet-mock'
const scenario: ScenarioFile = { extends: 'free-plan', keys: { 'my-app': { plan: 'free', used: { minute: 59 } } } }
export const mock = createPetMock({ scenario })
export const status: Promise<number> = mock.fetch(mock.url).then(response => response.status)
export const started: Promise<PetMock> = startPetMock({ scenario: 'ban', port: 0 })
// @ts-expect-error no scenario has this name
createPetMock({ scenario: 'bann' })
// @ts-expect-error a scenario has no such field
createPetMock({ scenario: { pet: {} } })
export const use = async () => {
  await using another = await startPetMock()
  return another.keys['demo-free']?.length
}
`

it.each(['NodeNext', 'Bundler'])('has types, as %s resolves them', { timeout: 60_000 }, resolution => {
  mkdirSync(join(app, 'node_modules/@types'), { recursive: true })
  try {
    symlinkSync(join(modules, '@types/node'), join(app, 'node_modules/@types/node'))
    symlinkSync(join(modules, 'undici-types'), join(app, 'node_modules/undici-types'))
  } catch {
    // They are there from the row before.
  }
  writeFileSync(join(app, 'typed.mts'), typed)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    module: resolution === 'NodeNext' ? 'NodeNext' : 'ESNext',
    moduleResolution: resolution,
    lib: ['ES2023', 'ESNext.Disposable'],
    types: ['node'],
    skipLibCheck: false,
  }
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.mts'] }))
  const tsc = join(modules, 'typescript/bin/tsc')
  expect(execFileSync(process.execPath, [tsc], { cwd: app, encoding: 'utf8' })).toBe('')
})
