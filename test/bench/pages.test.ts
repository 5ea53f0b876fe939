import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { measurements } from '../../tools/bench/measurements/all.ts'
import { readRun } from '../../tools/program/page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = `${root}docs/contributors/performance.md`
const run = await readRun(page, 'bench')
/** The cells of each row of the tables of a text, without the head. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => row.split('|').map(cell => cell.trim())).slice(2)
/** The limits are the first table of a run. */
const limits = rowsOf(run.split('###')[1] ?? '')

it('says of each goal that was missed what stands in the way', async context => {
  if (run.includes('The machine had other work to do')) context.skip('a busy machine misses any goal')
  const missed = limits.filter(row => /missed/i.test(row.at(-1) ?? '')).map(([what]) => what)
  const text = (await readFile(page, 'utf8')).split('## What stands in the way')[1]?.split('\n## ')[0] ?? ''
  expect(missed.filter(what => !text.includes(`**${what}**`))).toEqual([])
})

it('has a row for each measurement', async () => {
  const text = await readFile(page, 'utf8')
  const named = [...text.matchAll(/^\| `([a-z-]+)(…?)` /gm)].map(
    ([, name = '', more]) => [name, more] as const,
  )
  const isNamed = (wanted: string) =>
    named.some(([name, more]) => (more === '…' ? wanted.startsWith(name) : wanted === name))
  expect(measurements.map(({ name }) => name).filter(name => !isNamed(name))).toEqual([])
})
