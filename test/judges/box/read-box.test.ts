import { describe, expect, test } from 'vitest'
import { BoxError, readBox } from '../../../src/judges/box/read-box.ts'
import { record } from './drawn-runs.ts'

const get = {
  call: { method: 'GET', target: '/v1/pets', header: ['Authorization', 'Bearer demo-free'], body: '' },
  pass: 10,
}
const { lines } = record({
  scenario: 'free-plan',
  before: 0,
  steps: [get, { command: { do: 'reset' }, sandbox: undefined, pass: 1 }, get],
})
const [header = '', start = '', headers = '', ...rest] = lines.trimEnd().split('\n')
const [call = ''] = rest
const after = (...more: readonly string[]) => [header, start, headers, ...more]
const changed = (line: string, from: string, to: string) => {
  expect(line).toContain(from)
  return line.replace(from, to)
}

test('a whole box is read', async () => {
  const box = await readBox([lines.slice(0, 700), lines.slice(700)])
  expect(box).toMatchObject({ isWhole: true, end: 3 })
  expect(box.steps.map(({ kind }) => kind)).toEqual(['call', 'change', 'call'])
})

test('a box that ends early is read, and is not whole', async () => {
  expect(await readBox([`${after(call).join('\n')}\n`])).toMatchObject({ isWhole: false, end: 2 })
})

test.each<[what: string, box: readonly string[], message: string]>([
  ['nothing', [''], 'line 1: this is no JSON object'],
  ['another file', ['{"log":{"version":"1.2"}}'], 'line 1: this is no box of pet-mock'],
  ['a list', ['[]'], 'line 1: this is no JSON object'],
  [
    'a newer format',
    [changed(header, '"petbox":1', '"petbox":2')],
    'line 1: a newer pet-mock wrote this box (format 2): update pet-mock',
  ],
  ['an unknown option', [changed(header, '"door"', '"gate":1,"door"')], 'line 1: gate: unknown field'],
  ['an invalid origin list', [changed(header, '"door"', '"cors":{"loopback":1},"door"')], 'line 1: cors'],
  ['no start', [header], 'has no start'],
  ['a start that is none', [header, '{"start":1,"origins":[]}'], 'line 2: start'],
  ['a start with contradictions', [header, changed(start, '"nextId":101', '"nextId":50')], 'line 2:'],
  ['an invalid clock', [header, changed(start, '"scale":1}', '"scale":-1}')], 'line 2:'],
  ['an unknown line', after('{"run":"rm"}'), 'line 4: this is no line of a box: it begins with "run"'],
  ['a line named like a method of objects', after('{"constructor":1}'), 'line 4: this is no line of a box'],
  [
    'a call out of order',
    after(changed(call, '"call":1', '"call":7')),
    'line 4: expected call 1, found call 7',
  ],
  [
    'headers that are nowhere',
    after(changed(call, '"headers":0', '"headers":9')),
    'line 4: there are no headers',
  ],
  ['a body that is no base64', after(changed(call, '"method"', '"base64":"?","method"')), 'line 4: base64'],
  ['an effect of no call', after('{"effect":1,"status":200}'), 'line 4: no call 1 is under way'],
  ['an unknown command', after('{"change":{"do":"shell"},"at":1}'), 'line 4:'],
  ['a command with wrong fields', after('{"change":{"do":"banKey","key":7},"at":1}'), 'line 4:'],
  [
    'a scenario that is nowhere',
    after('{"adopts":9,"at":1}'),
    'line 4: there are no scenarios with the number 9',
  ],
  ['lines after the end', after('{"end":true}', call), 'line 5: nothing follows the end'],
  ['half a line', after(call.slice(0, 40)), 'line 4: this is no JSON object'],
])('%s is refused with its line', async (_, box, message) => {
  const reading = readBox([`${box.join('\n')}\n`])
  await expect(reading).rejects.toThrow(BoxError)
  await expect(reading).rejects.toThrow(message)
})

test('a cut line is refused', async () => {
  await expect(readBox([lines.slice(0, -5)])).rejects.toThrow('this line is cut')
})

test('a huge box is refused before it fills the memory', async () => {
  const piece = `${'x'.repeat(1_048_576)}`
  function* endless() {
    for (;;) yield piece
  }
  await expect(readBox(endless())).rejects.toThrow('over 256 MB')
})

describe('what a box keeps of calls', () => {
  const post = (body: string, key = 'demo-free') => ({
    call: { method: 'POST', target: '/v1/pets', header: ['Authorization', `Bearer ${key}`], body },
    pass: 1,
  })
  const linesOf = (...steps: readonly ReturnType<typeof post>[]) =>
    record({ scenario: 'free-plan', before: 0, steps }).lines.trimEnd().split('\n')
  const bodyOf = (sent: string) =>
    linesOf(post(sent)).flatMap(line => (line.startsWith('{"call"') ? [JSON.parse(line).body] : []))

  test.each<[what: string, sent: string]>([
    ['without a secret, byte for byte', '{ "name" : "Rex",  "categoryId": 1 }'],
    ['that names a secret and has none, byte for byte', '{ "token" : null,  "name": "Rex", "isOld": true }'],
    ['that is no JSON', 'name=Rex'],
  ])('a body %s', (_what, sent) => {
    expect(bodyOf(sent)).toEqual([sent])
  })

  test('all values of a body with a secret, but for that secret', () => {
    const sent =
      '{"name":"Rex","password":"hunter2-secret","isOld":true,"tags":[false,null,7],"pin":{"token":12345}}'
    const [body] = bodyOf(sent)
    expect(JSON.parse(body)).toEqual({
      ...JSON.parse(sent),
      password: expect.not.stringContaining('hunter2'),
      pin: { token: 1 },
    })
  })

  test('the headers of calls in turn once each, and no clock that is as usual', () => {
    const [a, b] = [post('{}', 'demo-free'), post('{}', 'demo-pro')]
    const all = linesOf(a, b, a, b)
    expect(all.filter(line => line.startsWith('{"headers"'))).toHaveLength(2)
    expect(JSON.parse(all[0] ?? '')).not.toHaveProperty('ahead')
  })
})
