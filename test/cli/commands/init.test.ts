import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

test('init prints each file, and the scenario passes', async () => {
  const cwd = directoryWith({})
  const { code, stdout } = await runCommand(['init'], { cwd })
  expect(code).toBe(0)
  const written = readdirSync(join(cwd, 'pet-mock'), { recursive: true, encoding: 'utf8' })
  expect(written.sort()).toEqual([
    'fixtures',
    'fixtures/categories.yaml',
    'fixtures/keys.yaml',
    'fixtures/orders.yaml',
    'fixtures/pets.yaml',
    'pets.schema.json',
    'project.schema.json',
    'scenario.schema.json',
    'scenario.yaml',
  ])
  for (const file of written.filter(file => file !== 'fixtures'))
    expect(stdout).toContain(`wrote pet-mock/${file}\n`)
  const [, line = ''] = /pet-mock (scenarios play .+)/.exec(stdout) ?? []
  expect(await runCommand(line.split(' '), { cwd })).toMatchObject({ code: 0 })
})

test('pet-mock.yaml names the files, so that pet-mock needs no flag', async () => {
  const cwd = directoryWith({ 'package.json': '{}' })
  const { stdout } = await runCommand(['init', 'test/pets of mine'], { cwd })
  expect(stdout).toContain('wrote pet-mock.yaml\n')
  expect(stdout).toContain('Serve it: npx pet-mock\n')
  const text = readFileSync(join(cwd, 'pet-mock.yaml'), 'utf8')
  const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)$/m.exec(text) ?? []
  expect(JSON.parse(readFileSync(join(cwd, schema), 'utf8'))).toMatchObject({ $id: 'urn:pet-mock:project' })
  const { ready } = await serveJson([], { cwd })
  expect(ready).toMatchObject({ config: 'pet-mock.yaml', scenario: 'test/pets of mine/scenario.yaml' })
})

test('an existing pet-mock.yaml stays without --force', async () => {
  const cwd = directoryWith({ 'pet-mock.yaml': 'port: 7400\n' })
  const { code, stdout } = await runCommand(['init'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('kept pet-mock.yaml\n')
  expect(stdout).toContain(
    'Serve it: npx pet-mock --scenario pet-mock/scenario.yaml --fixtures pet-mock/fixtures\n',
  )
  expect(readFileSync(join(cwd, 'pet-mock.yaml'), 'utf8')).toBe('port: 7400\n')
  expect(await runCommand(['init', '--force'], { cwd })).toMatchObject({
    stdout: expect.stringContaining('replaced pet-mock.yaml\n'),
  })
})

test('the first line names an existing schema', async () => {
  const installed = 'node_modules/pet-mock/schemas'
  for (const files of [
    {},
    { [`${installed}/scenario.schema.json`]: '{}', [`${installed}/pets.schema.json`]: '{}' },
  ]) {
    const cwd = directoryWith(files)
    await runCommand(['init', 'test/api'], { cwd })
    for (const [folder, file] of [
      ['test/api', 'scenario.yaml'],
      ['test/api/fixtures', 'pets.yaml'],
    ] as const) {
      const [first = ''] = readFileSync(join(cwd, folder, file), 'utf8').split('\n')
      const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)$/.exec(first) ?? []
      expect(JSON.parse(readFileSync(join(cwd, folder, schema), 'utf8'))).toBeTypeOf('object')
    }
  }
})

test('without --force, an existing file stops init before it writes', async () => {
  const cwd = directoryWith({ 'pet-mock/scenario.yaml': 'mine' })
  expect(await runCommand(['init'], { cwd })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'pet-mock/scenario.yaml already exists: --force replaces it\n',
  })
  expect(readdirSync(join(cwd, 'pet-mock'))).toEqual(['scenario.yaml'])
  expect(readFileSync(join(cwd, 'pet-mock/scenario.yaml'), 'utf8')).toBe('mine')
  const { code, stdout } = await runCommand(['init', '--force', 'pet-mock'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('replaced pet-mock/scenario.yaml\n')
  expect(readFileSync(join(cwd, 'pet-mock/scenario.yaml'), 'utf8')).toContain('title: My situation')
})

test('reports a directory that cannot be made, and ends', async ({ skip }) => {
  skip(!existsSync('/proc'), 'the system has no /proc')
  expect(await runCommand(['init', '/proc/pet-mock/mine'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^\/proc\/pet-mock\/mine\/scenario\.yaml cannot be written \(/),
  })
})

test('reports a directory that cannot be written', async () => {
  const cwd = directoryWith({})
  writeFileSync(join(cwd, 'file'), '')
  expect(await runCommand(['init', 'file'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^file\/scenario\.yaml cannot be written \(/),
  })
})
