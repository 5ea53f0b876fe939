import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runProcess } from '../../support/run-command.ts'

const page = fileURLToPath(new URL('../../../docs/fleet.md', import.meta.url))
const flags = ['fleet', '--instances', '2', '--demand', '62/m', '--for', '10m', '--json']

/** A module whose `next` has this text, on line 4. */
const nextIs = (next: string) =>
  `export function create({ now }) {\n  let jobs = 0\n  return {\n    next: ${next},\n    seen: () => undefined,\n  }\n}\n`

/** Modules that break the rules, and what is printed after the name of the file. */
const broken: Readonly<Record<string, readonly [module: string, line: string]>> = {
  'throws.mjs': [nextIs("() => { throw new Error('no luck') }"), ':4: next() threw: no luck'],
  'throws-text.mjs': [nextIs("() => { throw 'no luck' }"), ':4: next() threw: no luck'],
  'rejects.mjs': [nextIs("async () => { throw new Error('no luck') }"), ':4: next() threw: no luck'],
  'not-a-number.mjs': [
    nextIs('() => Number.NaN'),
    ':4: next() returned NaN; expected milliseconds of the virtual clock, or undefined',
  ],
  'promises-no-number.mjs': [
    nextIs("async () => 'soon'"),
    ':4: next() returned soon; expected milliseconds of the virtual clock, or undefined',
  ],
  'past.mjs': [
    nextIs('() => 1_767_603_599_000'),
    ':4: next() returned 1767603599000, which is 1000 ms ago on the virtual clock',
  ],
  'seen-past.mjs': [
    'export const create = ({ now }) => ({\n  next: now,\n  seen: () => now() - 1_000,\n})\n',
    ':3: seen() returned 1767603599050, which is 1000 ms ago on the virtual clock',
  ],
  'never.mjs': [nextIs('() => new Promise(() => {})'), ':4: next() took over 5 s'],
  'loops.mjs': [nextIs('() => { for (;;); }'), ':4: took over 5 s'],
  'loops-later.mjs': [
    nextIs('async () => { await null; jobs += 1; while (jobs > 3); return now() }'),
    ':4: took over 5 s',
  ],
  'loops-in-promises.mjs': [nextIs('async () => { for (;;) await null }'), ':4: took over 5 s'],
  'create-throws.mjs': [
    "export function create() {\n  throw new Error('no luck')\n}\n",
    ':2: create() threw: no luck',
  ],
  'create-loops.mjs': ['export function create() {\n  for (;;);\n}\n', ':2: took over 5 s'],
  'load-throws.mjs': ["\nthrow new Error('no luck')\n", ':2: no luck'],
  'load-loops.mjs': ['\nfor (;;);\n', ':2: took over 5 s'],
}

test('a module that breaks its rules ends the run with exit code 2, and its line', {
  timeout: 120_000,
}, async () => {
  const cwd = directoryWith(Object.fromEntries(Object.entries(broken).map(([name, [text]]) => [name, text])))
  const ended = await Promise.all(
    Object.keys(broken).map(async name => {
      const { code, stdout, stderr } = await runProcess([...flags, '--policy', `./${name}`], { cwd })
      return [code, stdout, stderr]
    }),
  )
  expect(ended).toEqual(Object.entries(broken).map(([name, [, line]]) => [2, '', `${name}${line}\n`]))
})

test('a module that never loads, ends the process, has no create, or whose create returns no policy is named', {
  timeout: 120_000,
}, async () => {
  const files = {
    'load-never.mjs': 'await new Promise(() => {})\n',
    'load-exits.mjs': 'process.exit(0)\n',
    'next-exits.mjs': nextIs('() => process.exit(0)'),
    'no-create.mjs': 'export const make = 1\n',
    'no-seen.mjs': 'export const create = ({ now }) => ({ next: now })\n',
  }
  const cwd = directoryWith(files)
  const run = (name: string) => runProcess([...flags, '--policy', `./${name}`], { cwd })
  const ended = await Promise.all([...Object.keys(files), 'none.mjs'].map(run))
  expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2])
  expect(ended.map(({ stderr }) => stderr)).toEqual([
    './load-never.mjs: took over 5 s to load\n',
    './load-exits.mjs: ended the process\n',
    './next-exits.mjs: ended the process\n',
    './no-create.mjs: expected an export create({ instance, now, random }), found none\n',
    './no-seen.mjs: expected create() to return { next, seen }, found no seen\n',
    expect.stringMatching(/^\.\/none\.mjs: Cannot find module /),
  ])
})

test('a module that calls without end is cut, and its line says so', { timeout: 240_000 }, async () => {
  const cwd = directoryWith({
    'storm.mjs': 'export const create = ({ now }) => ({ next: () => now(), seen: () => now() })\n',
  })
  const { code, stdout } = await runProcess([...flags, '--policy', './storm.mjs'], { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout).policies[0]).toMatchObject({ cut: expect.any(Number) })
})

test('the module of docs/fleet.md waits after a refusal, and each run of it is the same', {
  timeout: 120_000,
}, async () => {
  const [, text = ''] = /```js\n(.*?)```/s.exec(readFileSync(page, 'utf8')) ?? []
  const cwd = directoryWith({ 'limiter.mjs': text })
  const command = [...flags, '--policy', './limiter.mjs,none']
  const [once, twice] = [await runProcess(command, { cwd }), await runProcess(command, { cwd })]
  expect([once.code, once.stderr]).toEqual([0, ''])
  expect(twice).toEqual(once)
  const [own, none] = JSON.parse(once.stdout).policies
  expect(own).toMatchObject({ name: './limiter.mjs', wanted: 620, banned: { count: 0 } })
  expect(own.refused).toBeGreaterThan(0)
  expect(own.age.p99).toBeGreaterThan(none.age.p99)
})

test('a module that decides fast is never taken for one that loops', { timeout: 240_000 }, async () => {
  const cwd = directoryWith({ 'fast.mjs': nextIs('async () => now()') })
  const command = [
    'fleet',
    '--instances',
    '4',
    '--plan',
    'business',
    '--demand',
    '300/m',
    '--policy',
    './fast.mjs',
  ]
  const ended = await runProcess(command, { cwd })
  expect([ended.code, ended.stderr]).toEqual([0, ''])
})
