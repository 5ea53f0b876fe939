import { expect, it } from 'vitest'
import {
  type Amount,
  type AmountForm,
  type Fault,
  failures,
  faultName,
  faults,
  faultTraits,
} from '../../../src/service/call/fault.ts'

it.each([
  ['nothing', ['reset', 'empty', 'hang']],
  ['part', ['truncate']],
  ['whole', ['malformed', 'slow', 'slow-close']],
])('of these replies arrives: %s', (arrives, names) => {
  expect(faults.filter(name => faultTraits[name].arrives === arrives)).toEqual(names)
})

it.each([
  ['reset', 'net::ERR_CONNECTION_RESET'],
  ['empty', 'net::ERR_EMPTY_RESPONSE'],
  ['hang', 'net::ERR_TIMED_OUT'],
  ['truncate', undefined],
  ['slow', undefined],
] as const)('a browser names %s in a HAR file: %s', (name, error) => {
  expect(faultTraits[name].harError).toBe(error)
})

it('every door has every fault, but a fetch has no connection to close', () => {
  const doors = faults.map(name => [name, faultTraits[name].doors] as const)
  const without = doors.filter(([, names]) => names.join() !== 'server,fetch,proxy')
  expect(without).toEqual([['slow-close', ['server', 'proxy']]])
})

it('a slow reply is no failure', () => {
  expect(faults.filter(name => !(failures as readonly string[]).includes(name))).toEqual([
    'slow',
    'slow-close',
  ])
})

it.each<[Fault, string]>([
  ['reset', 'reset'],
  [{ truncate: { after: 1 } }, 'truncate'],
  [{ hang: { for: 1 } }, 'hang'],
  [{ slow: { bytesPerSecond: 1 } }, 'slow'],
  [{ 'slow-close': 1 }, 'slow-close'],
])('the name of %j is %s', (fault, name) => {
  expect(faultName(fault)).toBe(name)
})

it('each part of an amount has a sentence that explains it, and an example that a scenario may write', () => {
  const parts = faults.flatMap(name =>
    (faultTraits[name].amount?.forms ?? []).flatMap(form =>
      (isAmount(form) ? [form] : Object.values(form)).map(part => ({ name, ...part })),
    ),
  )
  expect(parts.map(({ name }) => name)).toEqual(['truncate', 'hang', 'slow', 'slow', 'slow', 'slow-close'])
  for (const { about, constraint, example } of parts) {
    expect(about).toMatch(/^[A-Z].+\.$/)
    expect(constraint.accepts(example)).toBe(true)
  }
})

function isAmount(form: AmountForm): form is Amount {
  return 'constraint' in form
}
