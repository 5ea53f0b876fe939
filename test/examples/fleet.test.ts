import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import type { Figures } from '../../src/judges/fleet/figures.ts'
import { installExample } from '../support/example.ts'

const modules = ['bottleneck', 'p-queue', 'p-throttle']

interface Policy extends Figures {
  readonly name: string
}

/** A module that does what another does, and keeps the instants of each instance. */
const noting = (name: string) => `
import { writeFileSync } from 'node:fs'
import { create as createOwn } from './${name}.mjs'

const sent = []
export function create(context) {
  const own = createOwn(context)
  const note = async at => {
    if ((await at) !== undefined) sent.push([context.instance, await at])
    return at
  }
  return { next: call => note(own.next(call)), seen: (response, call) => note(own.seen(response, call)) }
}
process.on('exit', () => writeFileSync('${name}.json', JSON.stringify(sent)))
`

test('examples/fleet: the libraries decide on the virtual clock, and their limits hold', {
  timeout: 300_000,
}, async (context: TestContext) => {
  const example = await installExample('fleet', context)
  const [first = '', second = ''] =
    readFileSync(join(example.path, 'README.md'), 'utf8').match(/^npx pet-mock fleet .*?(?= {2,}#)/gm) ?? []
  const policiesOf = async (command: string): Promise<readonly Policy[]> => {
    const [program = '', ...words] = command.split(' ')
    const { code, output } = await example.run(program, ...words, '--json')
    expect(code, output).toBe(0)
    return JSON.parse(output).policies
  }

  const usual = await policiesOf(first)
  expect(usual.map(({ name }) => name)).toEqual([...modules.map(name => `./${name}.mjs`), 'bucket-split'])
  for (const { banned, refused, served } of usual) {
    expect([banned.count, refused]).toEqual([0, 0])
    expect(served).toBeGreaterThan(0.9)
  }

  const [queue, retrying] = await policiesOf(second)
  expect(queue).toMatchObject({ name: './p-queue.mjs', banned: { count: 0 }, refused: 0 })
  expect(retrying?.banned.count).toBeGreaterThan(0)

  // More jobs than the quota, some of them at once: only the library keeps them back.
  example.write('rush.yaml', 'for: 9m\ngroups:\n  - { instances: 6, demand: 100/m, arrivals: poisson }\n')
  for (const name of modules) {
    example.write(`noting-${name}.mjs`, noting(name))
    const [rush] = await policiesOf(`npx pet-mock fleet rush.yaml --policy ./noting-${name}.mjs`)
    expect(rush).toMatchObject({ banned: { count: 0 }, refused: 0 })
    const sent: readonly (readonly [instance: number, at: number])[] = JSON.parse(
      readFileSync(join(example.path, `${name}.json`), 'utf8'),
    )
    expect(mostInAMinute(sent.map(([, at]) => at))).toBeGreaterThan(50)
    expect(mostInAMinute(sent.map(([, at]) => at))).toBeLessThanOrEqual(60)
    for (let instance = 0; instance < 6; instance += 1)
      expect(mostInAMinute(sent.flatMap(([own, at]) => (own === instance ? at : [])))).toBe(10)
  }

  // The library's own windows would let more through.
  example.write('noting-fixed.mjs', noting('fixed'))
  const text = readFileSync(join(example.path, 'p-queue.mjs'), 'utf8')
  example.write('fixed.mjs', text.replace(', strict: true', ''))
  await policiesOf('npx pet-mock fleet rush.yaml --policy ./noting-fixed.mjs')
  const fixed: readonly (readonly [number, number])[] = JSON.parse(
    readFileSync(join(example.path, 'fixed.json'), 'utf8'),
  )
  expect(mostInAMinute(fixed.map(([, at]) => at))).toBeGreaterThan(60)

  // A refusal holds the next jobs back, and the globals are the real ones again.
  example.write(
    'refused.mjs',
    `
import { ok, equal } from 'node:assert/strict'
const real = [Date, setTimeout, clearTimeout, setInterval, clearInterval]
for (const name of ${JSON.stringify(modules)}) {
  const { create } = await import('./' + name + '.mjs')
  let time = 1_000_000_000_000.5
  const { next, seen } = create({ instance: 0, now: () => time, random: () => 0 })
  equal(await seen({ status: 200, headers: {}, body: '' }), undefined)
  equal(await next(), Math.ceil(time))
  const retry = await seen({ status: 429, headers: { 'Retry-After': '30' }, body: '' })
  ok(retry >= time + 30_000 && retry < time + 36_100)
  time += 1_000
  ok((await next()) >= time + 29_000)
  ;[Date, setTimeout, clearTimeout, setInterval, clearInterval].forEach((own, place) => equal(own, real[place]))
}
console.log('well')
`,
  )
  expect(await example.run('node', 'refused.mjs')).toEqual({ code: 0, output: 'well\n' })
})

/** The most of these instants in a minute, wherever it begins, its last instant included. */
function mostInAMinute(instants: readonly number[]): number {
  const sorted = [...instants].sort((one, other) => one - other)
  let from = 0
  return sorted.reduce((most, at, place) => {
    while (at - (sorted[from] ?? at) > 60_000) from += 1
    return Math.max(most, place - from + 1)
  }, 0)
}
