import { expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import {
  createLifetimeLog,
  lifetimeTable,
  type SunsetMoment,
  sunsetMoments,
  sunsetSituations,
} from '../../../src/judges/rehearsal/sunset.ts'
import { fly, type PilotCall } from '../../support/flights.ts'

/** Counts calls of deprecated operations at some moments. */
function tableOf(calls: readonly (readonly [SunsetMoment, line: string, call?: PilotCall])[]) {
  const log = createLifetimeLog()
  for (const [moment, line, call] of calls) {
    const { file = {} } = sunsetSituations().find(({ name }) => name === moment) ?? {}
    const add = (exchange: Exchange) => log.add(moment, exchange, text => text)
    fly(file, pilot => pilot.call(line, call), add)
  }
  const { about, heads, rows } = lifetimeTable(log.rows())
  return {
    about,
    heads,
    rows: rows.map(({ name, cells }) => [
      name,
      ...cells.map(({ text, isWrong }) => `${text}${isWrong ? '!' : ''}`),
    ]),
  }
}

const from = (agent: string): PilotCall => ({ headers: ['User-Agent', agent] })
const get = 'GET /v1/pets/1'

test('the table of a client that calls no deprecated operation says so', () => {
  expect(tableOf(sunsetMoments.map(moment => [moment, 'GET /v1/pets'] as const))).toEqual({
    about: 'No call of this run used a deprecated operation, so nothing broke in it.',
    heads: ['Operation', 'Call site', 'today', 'announced', 'brown-out', 'day-before', 'day-after'],
    rows: [],
  })
})

test('calls that no removal refused are fine', () => {
  expect(
    tableOf([
      ['today', get],
      ['today', 'GET /v1/pets/999'],
      ['announced', get],
    ]),
  ).toMatchObject({
    about: 'Calls of deprecated operations, which no removal refused:',
    rows: [['GET /pets/{petId}', 'an unnamed client', '2 fine', '1 fine', '–', '–', '–']],
  })
})

test('each call site has a row, and what breaks most comes first', () => {
  const mixed = from('mixed')
  expect(
    tableOf([
      ['today', get, from('fine')],
      ['brown-out', get, from('once')],
      ['brown-out', get, mixed],
      ['day-before', get, mixed],
      ['day-after', get, mixed],
      ['day-after', 'GET /v1/pets/2', mixed],
      ['day-after', 'HEAD /v1/pets/2', mixed],
    ]),
  ).toMatchObject({
    about: 'What breaks, by operation and call site:',
    rows: [
      ['GET /pets/{petId}', 'mixed (user-agent)', '–', '–', '1 break!', '1 fine', '2 break!'],
      ['GET /pets/{petId}', 'once (user-agent)', '–', '–', '1 break!', '–', '–'],
      ['HEAD /pets/{petId}', 'mixed (user-agent)', '–', '–', '–', '–', '1 break!'],
      ['GET /pets/{petId}', 'fine (user-agent)', '1 fine', '–', '–', '–', '–'],
    ],
  })
})

test('a count may break in part', () => {
  const count = (calls: number, broken: number) => ({ calls, broken })
  const none = count(0, 0)
  const at = {
    today: count(3, 1),
    announced: count(2, 2),
    'brown-out': count(1, 0),
    'day-before': none,
    'day-after': none,
  }
  const { rows } = lifetimeTable([{ operation: 'GET /x', site: 'a', at }])
  expect(rows[0]?.cells).toEqual([
    { text: 'a' },
    { text: '1 of 3 break', isWrong: true },
    { text: '2 break', isWrong: true },
    { text: '1 fine' },
    { text: '–' },
    { text: '–' },
  ])
})

test('beyond 500 call sites, others share a row', () => {
  const log = createLifetimeLog()
  const add = (exchange: Exchange) => log.add('today', exchange, text => text)
  fly(
    { keys: { 'demo-free': { plan: 'business' } } },
    ({ call }) => {
      for (let site = 0; site < 502; site += 1) call(get, from(`client ${site}`))
      call(get, from('client 3'))
    },
    add,
  )
  const sites = log.rows().map(({ site, at }) => [site, at.today.calls])
  expect(sites).toHaveLength(501)
  expect(sites.filter(([, calls]) => calls !== 1)).toEqual([
    ['client 3 (user-agent)', 2],
    ['other call sites', 2],
  ])
})

test('the situations are the life of an operation, in which a client must work', () => {
  const situations = sunsetSituations()
  expect(situations.map(({ name, file }) => [name, file.title, file.rehearsal?.expects])).toEqual([
    ['today', 'Today', 'success'],
    ['announced', 'The deprecation is announced', 'success'],
    ['brown-out', 'A brown-out', 'success'],
    ['day-before', 'The day before the removal', 'success'],
    ['day-after', 'The day after the removal', 'success'],
  ])
  const shown = (file: ScenarioFile) => {
    let answer: readonly unknown[] = []
    fly(file, ({ send }) => {
      const { status, headers } = send(get)
      answer = [status, 'Deprecation' in headers, 'Sunset' in headers]
    })
    return answer
  }
  expect(situations.map(({ file }) => shown(file))).toEqual([
    [200, false, true],
    [200, true, true],
    [404, true, true],
    [200, true, true],
    [404, false, false],
  ])
  for (const { name, file } of situations)
    expect(settle(name, file, shippedFixtures).description).toMatch(/GET \/pets\/\{petId\}/)
})
