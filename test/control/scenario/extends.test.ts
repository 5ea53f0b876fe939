import { expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { resolveFrom } from '../../../src/control/scenario/read/read.ts'
import { readTexts } from './read-texts.ts'

async function merged(texts: Readonly<Record<string, string>>) {
  const reading = await readTexts(texts)
  if (!reading.ok) throw new Error(reading.complaints.map(formatComplaint).join('\n'))
  return reading.value
}

async function complaints(texts: Readonly<Record<string, string>>) {
  const reading = await readTexts(texts)
  return reading.ok ? [] : reading.complaints.map(formatComplaint)
}

const base = `
title: Base
description: What it shows.
seed: 7
keys: { demo-free: { plan: free, used: { minute: 57, day: 412 } }, mine: { plan: pro } }
pets: { count: 50, gone: [1, 2] }
bans: { after: 3, for: 60s }
`

test.each([
  [
    'maps are merged field by field',
    'keys: { demo-free: { used: { minute: 60 } } }',
    { keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 412 } }, mine: { plan: 'pro' } } },
  ],
  ['lists are replaced', 'pets: { gone: [3] }', { pets: { count: 50, gone: [3] } }],
  ['values are replaced', 'seed: 8', { seed: 8 }],
  ['null removes a field', 'pets: { gone: null }', { pets: { count: 50, gone: null } }],
  [
    'null removes a name',
    'keys: { mine: null }',
    { keys: { 'demo-free': { plan: 'free', used: { minute: 57, day: 412 } }, mine: null } },
  ],
  ['off replaces a map', 'bans: off', { bans: 'off' }],
])('%s', async (_name, own, expected) => {
  const file = await merged({ 'a.yaml': `extends: base.yaml\n${own}`, 'base.yaml': base })
  expect(file).toMatchObject(expected)
})

test('a map replaces off, and starts from the defaults', async () => {
  const file = await merged({ 'a.yaml': 'extends: b.yaml\nbans: { after: 3 }', 'b.yaml': 'bans: off' })
  expect(file.bans).toEqual({ after: 3 })
})

test('title and description are not inherited, nor is extends left', async () => {
  const file = await merged({ 'a.yaml': 'extends: base.yaml', 'base.yaml': base })
  expect(file.seed).toBe(7)
  for (const name of ['title', 'description', 'extends']) expect(file).not.toHaveProperty(name)
})

test('a path is relative to the file that names it', async () => {
  const texts = {
    'x/a.yaml': 'extends: ../y/b.yaml',
    'y/b.yaml': 'extends: ./c.yaml',
    'y/c.yaml': 'extends: free-plan\nseed: 3',
  }
  const file = await merged(texts)
  expect(file).toMatchObject({ seed: 3, keys: { 'demo-free': { plan: 'free' } } })
})

test.each([
  [
    'a circle',
    { 'a.yaml': 'extends: b.yaml', 'b.yaml': 'extends: ./x/../a.yaml' },
    'b.yaml:1:10: extends: scenarios extend each other in a circle: a.yaml -> b.yaml -> a.yaml',
  ],
  [
    'itself',
    { 'a.yaml': 'title: x\nextends: a.yaml' },
    'a.yaml:2:10: extends: scenarios extend each other in a circle: a.yaml -> a.yaml',
  ],
  [
    'a name that is no shipped one',
    { 'a.yaml': 'extends: free-plann' },
    'a.yaml:1:10: extends: free-plann is neither a shipped scenario nor a readable file (no such file); did you mean free-plan?',
  ],
  [
    'a name that is like no shipped one, and what may be wrong with the rest',
    { 'a.yaml': 'seed: 7\nextends: q.yaml' },
    'a.yaml:2:10: extends: q.yaml is neither a shipped scenario nor a readable file (no such file); more may follow once extends is mended',
  ],
  [
    'a file that is wrong itself',
    { 'a.yaml': 'extends: b.yaml', 'b.yaml': 'sed: 1' },
    'b.yaml:1:1: sed: unknown field; did you mean seed?',
  ],
  [
    'a contradiction, where the nearer file says it',
    { 'a.yaml': 'extends: b.yaml\nclock: { scale: 30 }', 'b.yaml': 'clock: { frozen: true }' },
    'a.yaml:2:17: clock.scale: a frozen clock does not run: remove scale or frozen',
  ],
  [
    'what the nearer file makes of it',
    {
      'a.yaml': 'extends: b.yaml\nkeys: { demo-free: { used: { minute: 30 } } }',
      'b.yaml': 'keys: { demo-free: { used: { day: 12 } } }',
    },
    'a.yaml:2:28: keys.demo-free.used: the calls of this minute count for the day too: expected day to be at least 30, found 12',
  ],
  [
    'a contradiction that the farther file says',
    { 'a.yaml': 'extends: b.yaml\npets: { count: 5 }', 'b.yaml': 'pets: { gone: [13] }' },
    'b.yaml:1:16: pets.gone[0]: no pet ever had the id 13: the pets have the ids 1 to 5',
  ],
])('%s', async (_name, texts, expected) => {
  expect(await complaints(texts)).toEqual([expected])
})

test.each([
  ['the title of the file', { 'a.yaml': 'seed: 7\ntitle: Mine' }, 'a.yaml:2:1'],
  ['what the file extends', { 'a.yaml': 'title: Mine\nextends: b.yaml', 'b.yaml': 'title: x' }, 'a.yaml:2:1'],
  ['its start', { 'a.yaml': '# Mine\nseed: 7' }, 'a.yaml:2:1'],
])('what is wrong with no field of a scenario has the place of %s', async (_what, texts, place) => {
  const reading = await readTexts(texts, { ...shippedFixtures, keys: {} })
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([
    `${place}: keys: expected at least one key`,
  ])
})

test('a long chain is no circle: as many as are read, and one more', async () => {
  const chain = (files: number) =>
    Object.fromEntries(
      Array.from({ length: files }, (_, n) => [
        `${n + 1}.yaml`,
        n + 1 < files ? `extends: ${n + 2}.yaml` : 'seed: 7',
      ]).map(entry => entry as [string, string]),
    )
  const inOrder = (files: number) => ({ 'a.yaml': 'extends: 1.yaml', ...chain(files) })
  expect((await merged(inOrder(31))).seed).toBe(7)
  expect(await complaints(inOrder(32))).toEqual([
    '31.yaml:1:10: extends: this chain of extends has more than 32 files: a.yaml -> 1.yaml -> … -> 31.yaml -> 32.yaml',
  ])
})

test('all mistakes of every file are listed, in the order of the lines', async () => {
  const texts = {
    'a.yaml':
      'title: 7\nextends: b.yaml\nkeys: { mine: { pln: free } }\nkey: mine\npets: { count: 5, gone: [9] }',
    'b.yaml': 'sed: 1\nextends: fre-plan',
  }
  expect(await complaints(texts)).toEqual([
    'a.yaml:1:8: title: expected text, found 7: write "7", in quotes',
    'a.yaml:3:17: keys.mine.pln: unknown field; did you mean plan?',
    'b.yaml:1:1: sed: unknown field; did you mean seed?',
    'b.yaml:2:10: extends: fre-plan is neither a shipped scenario nor a readable file (no such file); did you mean free-plan?',
  ])
  expect(await complaints({ 'a.yaml': 'extends: fre-plan\npets: { count: 5, gone: [9] }' })).toEqual([
    'a.yaml:1:10: extends: fre-plan is neither a shipped scenario nor a readable file (no such file); did you mean free-plan? More may follow once extends is mended',
  ])
  expect(await complaints({ ...texts, 'b.yaml': 'sed: 1' })).toEqual([
    'a.yaml:1:8: title: expected text, found 7: write "7", in quotes',
    'a.yaml:3:17: keys.mine.pln: unknown field; did you mean plan?',
    'a.yaml:5:26: pets.gone[0]: no pet ever had the id 9: the pets have the ids 1 to 5',
    'b.yaml:1:1: sed: unknown field; did you mean seed?',
  ])
})

test('a file that cannot be read', async () => {
  const reading = await readTexts({})
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([
    ':1:1:  cannot be read (no such file)',
  ])
})

test.each([
  ['a.yaml', 'b.yaml', 'b.yaml'],
  ['x/a.yaml', './b.yaml', 'x/b.yaml'],
  ['x/a.yaml', '../b.yaml', 'b.yaml'],
  ['../a.yaml', '../b.yaml', '../../b.yaml'],
  ['a.yaml', './', '.'],
  ['x/a.yaml', '..', '.'],
  ['/x/a.yaml', '../../b.yaml', '/../b.yaml'],
  ['x/a.yaml', '/b.yaml', '/b.yaml'],
  ['C:\\x\\a.yaml', '..\\b.yaml', 'C:\\b.yaml'],
  ['x/a.yaml', 'C:\\b.yaml', 'C:\\b.yaml'],
])('%s names %s -> %s', (file, named, expected) => {
  expect(resolveFrom(file, named)).toBe(expected)
})
