import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { installPackage } from '../support/package.ts'
import { peerModules } from '../support/runner-project.ts'

/* The library as programs have it: installed, and imported by its name. */
const { app, remove } = installPackage()

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

it('is one module for programs that mix require and import', () => {
  const program = `const { PetMockError } = require('pet-mock')
  ;(async () => console.log((await import('pet-mock')).PetMockError === PetMockError))()`
  expect(run('mixed.cjs', program)).toBe('true\n')
})

it('is CommonJS where Node cannot require a module', () => {
  const program = `const { createPetMock } = require('pet-mock')
  const mock = createPetMock()
  ;(async () => {${calls}})()`
  writeFileSync(join(app, 'old.cjs'), program)
  const args = ['--no-experimental-require-module', 'old.cjs']
  expect(execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8' })).toBe('200 2\n')
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

it.each(['createPetMock', 'await startPetMock'])(
  'prints a mistake in %s that nobody catches in a few short lines',
  start => {
    const program = `import * as petMock from 'pet-mock'
  ${start.replace(/\w+$/, 'petMock.$&')}({ scenario: { extends: 'fre-plan' } })`
    writeFileSync(join(app, 'mistake.mjs'), program)
    const { status, stderr } = spawnSync(process.execPath, ['mistake.mjs'], { cwd: app, encoding: 'utf8' })
    const lines = stderr.split('\n')
    expect(status).toBe(1)
    expect(lines.filter(line => line.includes('fre-plan'))).toEqual([
      'PetMockError: extends: no shipped scenario is named "fre-plan"; did you mean free-plan?',
    ])
    expect(lines.length).toBeLessThan(30)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThan(300)
  },
)

it('refuses to load the fixtures in a vitest that ignores their scenario', () => {
  const vitest = join(app, 'node_modules/vitest')
  mkdirSync(vitest, { recursive: true })
  writeFileSync(join(vitest, 'package.json'), '{ "name": "vitest", "version": "3.2.4", "type": "module" }')
  writeFileSync(join(vitest, 'index.js'), 'export const test = { extend: () => test }')
  writeFileSync(join(app, 'old.mjs'), "import 'pet-mock/vitest'")
  const { status, stderr } = spawnSync(process.execPath, ['old.mjs'], { cwd: app, encoding: 'utf8' })
  rmSync(vitest, { recursive: true })
  expect(status).toBe(1)
  expect(stderr).toContain('Error: pet-mock/vitest needs vitest 4.1 or newer; this project has 3.2.4.')
})

const shown = ['README.md', 'docs/browser.md'].flatMap(page => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, program = '']) => program)
})

it.each(shown)('does what README and docs/browser.md show: %s', text => {
  expect(shown).toHaveLength(2)
  const [, printed] = /console\.log\(.*\/\/ (.*)$/m.exec(text) ?? []
  const output = run('readme.mjs', text)
  // A program that prints nothing itself is a test of node:test.
  if (printed === undefined) expect(output).toMatch(/^(?:#|ℹ) pass 1$/m)
  else expect(output).toBe(`${printed}\n`)
})

function link(...names: readonly string[]): void {
  for (const name of names) {
    const path = join(app, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) symlinkSync(join(peerModules, name), path)
  }
}
